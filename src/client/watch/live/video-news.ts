import { createStore } from '#client/platform/store.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'

type News = {
  videoId: number | undefined
  /** Is 0 if fewer than two people watch. */
  watching: number
  /** Includes replies. */
  newCount: number
  /** Leaves out replies. */
  newComments: readonly Comment[]
  /** Comments with an id above this one are new. */
  seenUpTo: number | undefined
  newestId: number
}

const NONE: News = {
  videoId: undefined,
  watching: 0,
  newCount: 0,
  newComments: [],
  seenUpTo: undefined,
  newestId: 0,
}

/** Describes the video whose page is open. */
export const videoNews = createStore<News>(NONE)

export function forgetNews(): void {
  videoNews.set(NONE)
}

/** Returns the new comments and marks them as seen, because the list shows them from now on. */
export function takeNewComments(): readonly Comment[] {
  const { newComments, newestId } = videoNews.get()
  videoNews.set({ newCount: 0, newComments: [], seenUpTo: newestId })
  return newComments
}
