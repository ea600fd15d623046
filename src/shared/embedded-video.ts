import type { Clip } from './schemas/clip.schemas.ts'
import type { Playback, Video } from './schemas/video.schemas.ts'

/** Part of the page, so that the player needs no request. */
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
    /** 'Anonymous' for an unnamed owner. */
    channelName: string
    siteName: string
    /** Null for the whole video. */
    clip: EmbeddedClip | null
  }

/** Seconds of the video. */
export type EmbeddedClip = Pick<Clip, 'id' | 'title' | 'startSeconds' | 'endSeconds'>

export const EMBEDDED_VIDEO_ID = 'embedded-video'
