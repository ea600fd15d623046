import { type ComponentType, createContext, useContext } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './plain-player.module.css'

type Optional = 'id' | 'thumbnailUrl' | 'hlsUrl' | 'storyboardUrl' | 'width' | 'height'

/** A video of the site, or a file on this device, which has no id. */
type PlainVideo = { videoUrl: string } & Pick<Video, 'title' | 'duration'> &
  Partial<Pick<Video, Optional>>

export type PlainPlayerProps = {
  video: PlainVideo
  /** Where it begins, in seconds. */
  startSeconds?: number
  startsMuted?: boolean
  /** Called when the `<video>` is mounted; must stay the same function. @returns called when it is unmounted */
  onVideo?: (element: HTMLVideoElement) => () => void
}

/** Routes provide the player, as the wings that show it cannot import it. */
export const PlainPlayerContext = createContext<ComponentType<PlainPlayerProps>>(() => null)

/** A player for pages other than that of the video: it counts no views, stores no position and plays no next video. */
export function PlainPlayer(props: PlainPlayerProps) {
  const Player = useContext(PlainPlayerContext)
  return (
    <div className={classes.frame}>
      <Player {...props} />
    </div>
  )
}
