import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import classes from '#client/kit/control/action-button.module.css'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

const PlaylistPicker = lazyPart(() => import('./playlist-picker.tsx'))

export function SaveButton({ video, isSignedIn }: { video: Video; isSignedIn: boolean }) {
  const signIn = useSignInLink()
  const [isPicking, setPicking] = useState(false)
  const icon = <IconBookmark size={20} stroke={1.75} aria-hidden />
  const buttonProps = {
    variant: 'default',
    className: `${classes.action} ${look('pill')}`,
    leftSection: icon,
  } as const
  if (!isSignedIn) {
    return (
      <LinkButton {...signIn} title="Sign in to save" {...buttonProps}>
        Save
      </LinkButton>
    )
  }
  return (
    <>
      <Button {...buttonProps} aria-haspopup="dialog" onClick={() => setPicking(true)}>
        Save
      </Button>
      {isPicking && <PlaylistPicker video={video} onClose={() => setPicking(false)} />}
    </>
  )
}
