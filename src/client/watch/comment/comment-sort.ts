import { useSyncExternalStore } from 'react'
import { deviceStorage } from '#client/platform/browser-storage.ts'
import { createStore } from '#client/platform/store.ts'
import { COMMENTS_PER_PAGE } from '#shared/limits.ts'
import type { CommentSort } from '#shared/schemas/comment.schemas.ts'
import type { CommentPlace, CommentsInput } from './comment-context.ts'

const KEY = 'clutch-comment-sort'
const store = createStore<{ sort: CommentSort }>({
  sort: deviceStorage.read(KEY) === 'best' ? 'best' : 'newest',
})

/** Stored on this device. */
export const useCommentSort = () => useSyncExternalStore(store.subscribe, store.get).sort

export function setCommentSort(sort: CommentSort): void {
  store.set({ sort })
  deviceStorage.write(KEY, sort)
}

/** Newest first is the server's default. */
export function useCommentsInput(place: CommentPlace): CommentsInput {
  return commentsInput(place, useCommentSort())
}

/** Outside of components. */
export function commentsInput(
  place: CommentPlace,
  sort: CommentSort = store.get().sort,
): CommentsInput {
  const input = { ...place, limit: COMMENTS_PER_PAGE }
  return sort === 'newest' ? input : { ...input, sort }
}
