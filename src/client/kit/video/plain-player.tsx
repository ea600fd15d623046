import { type ComponentType, createContext, useContext } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './plain-player.module.css'

type Optional = 'id' | 'thumbnailUrl' | 'hlsUrl' | 'storyboardUrl' | 'width' | 'height'

/** What is played: a video of the site, or a file on this device, which has no id. */
export type PlainVideo = { videoUrl: string } & Pick<Video, 'title' | 'duration'> &
  Partial<Pick<Video, Optional>>

export type PlainPlayerProps = {
  video: PlainVideo
  /** Where it begins, in seconds. */
  startSeconds?: number
  startsMuted?: boolean
  /** Gets the `<video>` when it is there; stays the same function. @returns called when it goes away */
  onVideo?: (element: HTMLVideoElement) => () => void
}

/** The player of the site, which stands above the wings that show it: a route gives it. */
export const PlainPlayerContext = createContext<ComponentType<PlainPlayerProps>>(() => null)

/** The player in a page that is about something else: it counts no views, remembers no place and plays nothing after. */
export function PlainPlayer(props: PlainPlayerProps) {
  const Player = useContext(PlainPlayerContext)
  return (
    <div className={classes.frame}>
      <Player {...props} />
    </div>
  )
}
