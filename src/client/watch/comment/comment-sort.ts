import { useSyncExternalStore } from 'react'
import { createStore } from '#client/platform/store.ts'
import type { CommentSort } from '#shared/schemas/comment.schemas.ts'

const KEY = 'clutch-comment-sort'
const store = createStore<{ sort: CommentSort }>({ sort: read() })

/** In which order comments are shown on this device. */
export const useCommentSort = () => useSyncExternalStore(store.subscribe, store.get).sort

export function setCommentSort(sort: CommentSort): void {
  store.set({ sort })
  try {
    localStorage.setItem(KEY, sort)
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** The question for a list of comments in that order. The newest first is how the server answers by itself. */
export function useSorted<Input extends object>(input: Input): Input & { sort?: CommentSort } {
  const sort = useCommentSort()
  return sort === 'newest' ? input : { ...input, sort }
}

function read(): CommentSort {
  try {
    return localStorage.getItem(KEY) === 'best' ? 'best' : 'newest'
  } catch {
    return 'newest'
  }
}
