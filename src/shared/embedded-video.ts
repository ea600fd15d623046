import type { Clip } from './schemas/clip.schemas.ts'
import type { Playback, Video } from './schemas/video.schemas.ts'

/** What the server writes into an embedded player's page, so that it need not ask for anything. */
export type EmbeddedVideo = Pick<
  Video,
  | 'id'
  | 'title'
  | 'description'
  | 'thumbnailUrl'
  | 'hlsUrl'
  | 'storyboardUrl'
  | 'duration'
  | 'width'
  | 'height'
  | 'videoFileExists'
> &
  Pick<
    Playback,
    | 'videoUrl'
    | 'loudnessLufs'
    | 'renditions'
    | 'soundLanguage'
    | 'soundTracks'
    | 'soundNames'
    | 'captions'
  > & {
    /** 'Anonymous' when its owner is not named. */
    channelName: string
    siteName: string
    /** The part that is played; null for all of it. */
    clip: EmbeddedClip | null
  }

/** Times are of the video, in seconds. */
export type EmbeddedClip = Pick<Clip, 'id' | 'title' | 'startSeconds' | 'endSeconds'>

/** The id of the script element that carries it as JSON. */
export const EMBEDDED_VIDEO_ID = 'embedded-video'
