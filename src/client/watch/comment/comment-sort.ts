import { useSyncExternalStore } from 'react'
import { createStore } from '#client/platform/store.ts'
import { COMMENTS_PER_PAGE } from '#shared/limits.ts'
import type { CommentSort } from '#shared/schemas/comment.schemas.ts'
import type { CommentPlace, CommentsInput } from './comment-context.ts'

const KEY = 'clutch-comment-sort'
const store = createStore<{ sort: CommentSort }>({ sort: read() })

/** Stored on this device. */
export const useCommentSort = () => useSyncExternalStore(store.subscribe, store.get).sort

export function setCommentSort(sort: CommentSort): void {
  store.set({ sort })
  try {
    localStorage.setItem(KEY, sort)
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** Newest first is the server's default. */
export function useCommentsInput(place: CommentPlace): CommentsInput {
  const sort = useCommentSort()
  const input = { ...place, limit: COMMENTS_PER_PAGE }
  return sort === 'newest' ? input : { ...input, sort }
}

function read(): CommentSort {
  try {
    return localStorage.getItem(KEY) === 'best' ? 'best' : 'newest'
  } catch {
    return 'newest'
  }
}
