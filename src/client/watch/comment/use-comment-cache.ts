import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { trpc } from '#client/trpc.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'

type Found = InfiniteData<{ items: Comment[] }> | Comment | number | null

/** What the page has of comments: lists in each order, the pinned one, threads, further replies, counts. */
export function useCommentCache() {
  const client = useQueryClient()
  const filter = { queryKey: getQueryKey(trpc.comment) }
  return {
    /** Reads all of it again that is shown, and the posts, which have counts of their own. */
    refresh: () =>
      Promise.all([
        client.invalidateQueries(filter),
        client.invalidateQueries({ queryKey: getQueryKey(trpc.post) }),
      ]),

    /** Stops what is being read of it, so that it does not overwrite a change. */
    stopReading: () => client.cancelQueries(filter),

    /** Changes a comment or a reply wherever it is shown. */
    change(id: number, fields: Partial<Reply>): void {
      const changeOne = (one: Comment): Comment => ({
        ...one,
        ...(one.id === id && fields),
        ...(one.replies && { replies: one.replies.map(changeOne) }),
      })
      client.setQueriesData<Found>(filter, (found) => {
        if (!found || typeof found !== 'object') return found
        if (!('pages' in found)) return changeOne(found)
        const pages = found.pages.map((page) => ({ ...page, items: page.items.map(changeOne) }))
        return { ...found, pages }
      })
    },
  }
}
