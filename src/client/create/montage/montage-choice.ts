import { posterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { MontageItem } from '#shared/schemas/montage.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

export type MontageChoice = {
  item: MontageItem
  title: string
  /** Such as the clip's video. */
  facts: string
  seconds: number
  pictureUrl: string | null
}

export function choiceOfClip(clip: Clip): MontageChoice {
  const { id, title, startSeconds, endSeconds, pictureUrl, video } = clip
  return {
    item: { clipId: id },
    title,
    facts: video.title,
    seconds: endSeconds - startSeconds,
    pictureUrl: pictureUrl ?? posterOf(video).src,
  }
}

/** Whole video. */
export function choiceOfVideo(video: Video): MontageChoice {
  const { id, title, duration } = video
  return {
    item: { videoId: id, fromSeconds: 0, toSeconds: duration },
    title,
    facts: 'Whole video',
    seconds: duration,
    pictureUrl: posterOf(video).src,
  }
}
