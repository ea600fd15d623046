import type { RefObject } from 'react'
import { COMMENTS_PER_PAGE } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { PlayerHandle } from '../../watch/player/video-player.tsx'

/** What each part of a watch page is given. */
export type WatchPart = { video: Video; player: RefObject<PlayerHandle | null> }

/** The question for a video's comments, the same wherever it is asked, so that it is asked once. */
export const commentsOf = (video: Video) => ({ id: video.id, limit: COMMENTS_PER_PAGE })
