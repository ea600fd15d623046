import { useState } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { Popover } from '../../components/popover.tsx'
import { lazyPiece } from '../../lib/lazy-piece.tsx'
import classes from './card-menu.module.css'

const CardMenuPanel = lazyPiece(
  () => import('./card-menu-panel.tsx'),
  <span className={classes.loading} />,
)
const PlaylistPicker = lazyPiece(() => import('./playlist-picker.tsx'))

type CardMenuProps = {
  video: Video
  className?: string | undefined
  /** Takes the video out of the list, or puts it back; without it 'Not interested' is not offered. */
  onHide?: (isHidden: boolean) => void
}

/** What can be done with a video besides watching it. What it opens is loaded when it is pointed at. */
export function CardMenu({ video, className = '', onHide }: CardMenuProps) {
  const [isPicking, setPicking] = useState(false)
  return (
    <>
      <Popover
        label={`Actions for ${video.title}`}
        buttonClassName={`${classes.button} ${className}`}
        panelClassName={classes.menu}
        onPoint={CardMenuPanel.preload}
      >
        {() => <CardMenuPanel video={video} onHide={onHide} onPick={() => setPicking(true)} />}
      </Popover>
      {isPicking && <PlaylistPicker video={video} onClose={() => setPicking(false)} />}
    </>
  )
}
