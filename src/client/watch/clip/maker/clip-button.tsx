import { Button } from '@mantine/core'
import { IconCut } from '@tabler/icons-react'
import { useEffect } from 'react'
import foldable from '#client/kit/control/foldable.module.css'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { whenIdle } from '#client/platform/when-idle.ts'
import maker from './clip-maker.module.css'
import { openClipMaker, useOpenMaker } from './open-maker.ts'

export const ClipMaker = lazyPart(
  () => import('./clip-maker.tsx'),
  <div className={maker.skeleton} />,
)

type ClipButtonProps = { videoId: number; isSignedIn: boolean }

/** Opens the clip maker below the player, and is pressed for as long as that is there. */
export function ClipButton({ videoId, isSignedIn }: ClipButtonProps) {
  const signIn = useSignInLink()
  const isOpen = useOpenMaker(videoId) !== null
  const hasKeys = useHasKeys()
  useEffect(() => {
    // The key makes no sign before it is pressed.
    if (isSignedIn) void whenIdle().then(ClipMaker.preload)
  }, [isSignedIn])
  const icon = <IconCut size={20} stroke={1.75} aria-hidden />
  const look = {
    ...{ variant: 'default', radius: 'xl', className: foldable.button },
    leftSection: icon,
  } as const
  if (!isSignedIn) {
    return (
      <LinkButton {...signIn} title="Sign in to make a clip" {...look}>
        Clip
      </LinkButton>
    )
  }
  return (
    <Button
      {...look}
      title={hasKeys ? 'Make a clip (c)' : 'Make a clip'}
      aria-expanded={isOpen}
      onPointerEnter={ClipMaker.preload}
      onClick={() => openClipMaker(videoId, { isByKey: false })}
    >
      Clip
    </Button>
  )
}
