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
  const { preload } = CardMenuPanel
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only fetches ahead.
    <span className={`${classes.root} ${className}`} onPointerEnter={preload} onFocus={preload}>
      <Popover
        label={`Actions for ${video.title}`}
        button={<Dots />}
        buttonClassName={classes.button}
        panelClassName={classes.menu}
      >
        {() => <CardMenuPanel video={video} onHide={onHide} onPick={() => setPicking(true)} />}
      </Popover>
      {isPicking && <PlaylistPicker video={video} onClose={() => setPicking(false)} />}
    </span>
  )
}

/** The icon set's has four elements, which is a fifth of a card. */
function Dots() {
  return (
    <svg width={20} height={20} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M12 5v.01M12 12v.01M12 19v.01"
        stroke="currentColor"
        strokeWidth={4}
        strokeLinecap="round"
      />
    </svg>
  )
}
