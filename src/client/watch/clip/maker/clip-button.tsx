import { Button } from '@mantine/core'
import { IconCut } from '@tabler/icons-react'
import classes from '#client/kit/control/action-button.module.css'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { usePreloadWhenIdle } from '#client/platform/use-preload-when-idle.ts'
import maker from './clip-maker.module.css'
import { openClipMaker, useOpenMaker } from './open-maker.ts'

export const ClipMaker = lazyPart(
  () => import('./clip-maker.tsx'),
  <div className={maker.skeleton} />,
)

type ClipButtonProps = { videoId: number; isSignedIn: boolean }

/** Pressed while the maker is open. */
export function ClipButton({ videoId, isSignedIn }: ClipButtonProps) {
  const signIn = useSignInLink()
  const isOpen = useOpenMaker(videoId) !== null
  const hasKeys = useHasKeys()
  // The keyboard shortcut gives no earlier hint.
  usePreloadWhenIdle(ClipMaker, isSignedIn)
  const icon = <IconCut size={20} stroke={1.75} aria-hidden />
  const buttonProps = {
    variant: 'default',
    className: `${classes.action} ${look('pill')}`,
    leftSection: icon,
  } as const
  if (!isSignedIn) {
    return (
      <LinkButton {...signIn} title="Sign in to make a clip" {...buttonProps}>
        Clip
      </LinkButton>
    )
  }
  return (
    <Button
      {...buttonProps}
      title={hasKeys ? 'Make a clip (c)' : 'Make a clip'}
      aria-expanded={isOpen}
      onPointerEnter={ClipMaker.preload}
      onClick={() => openClipMaker(videoId, { isByKey: false })}
    >
      Clip
    </Button>
  )
}
