import { type ComponentType, createContext, useContext } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { look } from '../layout/layout.ts'
import classes from './plain-player.module.css'

type Optional = 'id' | 'thumbnailUrl' | 'hlsUrl' | 'storyboardUrl' | 'width' | 'height'

/** A video of the site, or a local file without an id. */
type PlainVideo = { videoUrl: string } & Pick<Video, 'title' | 'duration'> &
  Partial<Pick<Video, Optional>>

export type PlainPlayerProps = {
  video: PlainVideo
  /** Seconds. */
  startSeconds?: number
  startsMuted?: boolean
  /** On mount; must be stable. @returns called on unmount */
  onVideo?: (element: HTMLVideoElement) => () => void
}

/** Routes provide the player, because groups cannot import each other. */
export const PlainPlayerContext = createContext<ComponentType<PlainPlayerProps>>(() => null)

/** Without views, positions and next video. */
export function PlainPlayer(props: PlainPlayerProps) {
  const Player = useContext(PlainPlayerContext)
  return (
    <div className={`${classes.frame} ${look('fullWidth', 'card', 'widescreen')}`}>
      <Player {...props} />
    </div>
  )
}
