import { createStore } from '#client/platform/store.ts'
import type { Reply } from '#shared/schemas/comment.schemas.ts'

type News = {
  videoId: number | undefined
  /** Is 0 if fewer than two people watch. */
  watching: number
  /** Comments and replies of others that the list does not show, newest first. */
  newComments: readonly Reply[]
  /** Comments with a higher id are new. Undefined until the first have come. */
  seenUpTo: number | undefined
}

const NONE: News = {
  videoId: undefined,
  watching: 0,
  newComments: [],
  seenUpTo: undefined,
}

/** Describes the video whose page is open. */
export const videoNews = createStore<News>(NONE)

export function forgetNews(): void {
  videoNews.set(NONE)
}

/** Returns the new comments, which count as seen from now on. */
export function takeNewComments(): readonly Reply[] {
  const { newComments, seenUpTo } = videoNews.get()
  videoNews.set({ newComments: [], seenUpTo: newComments[0]?.id ?? seenUpTo })
  return newComments
}
