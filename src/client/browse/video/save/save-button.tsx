import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import foldable from '#client/kit/control/foldable.module.css'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

const PlaylistPicker = lazyPart(() => import('./playlist-picker.tsx'))

/** Puts a video into one's playlists. */
export function SaveButton({ video, isSignedIn }: { video: Video; isSignedIn: boolean }) {
  const signIn = useSignInLink()
  const [isPicking, setPicking] = useState(false)
  const icon = <IconBookmark size={20} stroke={1.75} aria-hidden />
  if (!isSignedIn) {
    return (
      <LinkButton
        {...signIn}
        variant="default"
        radius="xl"
        className={foldable.button}
        title="Sign in to save"
        leftSection={icon}
      >
        Save
      </LinkButton>
    )
  }
  return (
    <>
      <Button
        variant="default"
        radius="xl"
        className={foldable.button}
        leftSection={icon}
        aria-haspopup="dialog"
        onClick={() => setPicking(true)}
      >
        Save
      </Button>
      {isPicking && <PlaylistPicker video={video} onClose={() => setPicking(false)} />}
    </>
  )
}
