import { IconBookmark } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { lazyPiece } from '../../lib/lazy-piece.tsx'
import classes from './save-button.module.css'

const PlaylistPicker = lazyPiece(() => import('./playlist-picker.tsx'))

/** Puts a video into one's playlists. */
export function SaveButton({ video, isSignedIn }: { video: Video; isSignedIn: boolean }) {
  const [isPicking, setPicking] = useState(false)
  const icon = <IconBookmark size={20} stroke={1.75} aria-hidden />
  if (!isSignedIn) {
    return (
      <Link
        to="/auth"
        className={buttonClass({ variant: 'default' }, classes.save)}
        title="Sign in to save"
      >
        {icon}
        Save
      </Link>
    )
  }
  return (
    <>
      <Button
        variant="default"
        className={classes.save}
        icon={icon}
        aria-haspopup="dialog"
        onClick={() => setPicking(true)}
      >
        Save
      </Button>
      {isPicking && <PlaylistPicker video={video} onClose={() => setPicking(false)} />}
    </>
  )
}
