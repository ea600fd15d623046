import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { trpc } from '#client/trpc.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'

type Found = InfiniteData<{ items: Comment[] }> | Comment | number | null

/** Lists in each order, the pinned comment, threads, further replies, counts. */
export function useCommentCache() {
  const client = useQueryClient()
  const filter = { queryKey: getQueryKey(trpc.comment) }
  return {
    /** Also posts, which have counts of comments. */
    refresh: () =>
      Promise.all([
        client.invalidateQueries(filter),
        client.invalidateQueries({ queryKey: getQueryKey(trpc.post) }),
      ]),

    /** Later answers must not overwrite an optimistic change. */
    stopReading: () => client.cancelQueries(filter),

    /** Takes a comment or reply that is gone out of all queries. */
    remove(id: number): void {
      const isOther = (one: Reply) => one.id !== id
      const without = (one: Comment): Comment => ({
        ...one,
        ...(one.replies && { replies: one.replies.filter(isOther) }),
      })
      client.setQueriesData<Found>(filter, (found) => {
        if (!found || typeof found !== 'object') return found
        if (!('pages' in found)) return isOther(found) ? without(found) : null
        const pages = found.pages.map((page) => ({
          ...page,
          items: page.items.filter(isOther).map(without),
        }))
        return { ...found, pages }
      })
    },

    /** In all queries. */
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
