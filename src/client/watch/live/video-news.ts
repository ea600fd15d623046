import { createStore } from '#client/platform/store.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'

type News = {
  videoId: number | undefined
  /** 0 for less than two. */
  watching: number
  /** With replies. */
  newCount: number
  /** Top ones of these. */
  newComments: readonly Comment[]
  /** Ids of comments; those after the seen ones are new. */
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

/** Of the video whose page is open. */
export const videoNews = createStore<News>(NONE)

export function forgetNews(): void {
  videoNews.set(NONE)
}

/** The list shows them from now on. */
export function takeNewComments(): readonly Comment[] {
  const { newComments, newestId } = videoNews.get()
  videoNews.set({ newCount: 0, newComments: [], seenUpTo: newestId })
  return newComments
}
