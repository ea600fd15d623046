import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { trpc } from '#client/trpc.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'

type Pages = InfiniteData<{ items: Comment[] }>

/** What the page has of the comments of a video: lists in each order, the pinned one, threads, further replies. */
export function useCommentCache(videoId: number) {
  const client = useQueryClient()
  const utils = trpc.useUtils()
  return {
    /** Reads all of it again that is shown. */
    refresh: () =>
      Promise.all([
        utils.comment.list.invalidate({ id: videoId }),
        utils.comment.count.invalidate({ id: videoId }),
        utils.comment.pinned.invalidate({ id: videoId }),
        utils.comment.thread.invalidate(),
        utils.comment.replies.invalidate(),
      ]),

    /** Stops what is being read of it, so that it does not overwrite a change. */
    stopReading: () =>
      Promise.all([
        utils.comment.list.cancel({ id: videoId }),
        utils.comment.pinned.cancel({ id: videoId }),
        utils.comment.thread.cancel(),
        utils.comment.replies.cancel(),
      ]),

    /** Changes a comment or a reply wherever it is shown. */
    change(id: number, fields: Partial<Reply>): void {
      const inOne = <One extends Comment | null>(one: One | undefined) =>
        one && changeIn(one, { id, fields })
      const inPages = (pages: Pages | undefined) =>
        pages && {
          ...pages,
          pages: pages.pages.map((page) => ({
            ...page,
            items: page.items.map((item) => changeIn(item, { id, fields })),
          })),
        }
      const ofVideo = { id: videoId }
      for (const queryKey of [
        getQueryKey(trpc.comment.list, ofVideo, 'infinite'),
        getQueryKey(trpc.comment.replies, undefined, 'infinite'),
      ]) {
        client.setQueriesData<Pages>({ queryKey }, inPages)
      }
      for (const queryKey of [
        getQueryKey(trpc.comment.pinned, ofVideo, 'query'),
        getQueryKey(trpc.comment.thread, undefined, 'query'),
      ]) {
        client.setQueriesData<Comment | null>({ queryKey }, inOne)
      }
    },
  }
}

function changeIn<One extends Comment>(
  comment: One,
  change: { id: number; fields: Partial<Reply> },
): One {
  if (comment.id === change.id) return { ...comment, ...change.fields }
  if (!comment.replies?.some(({ id }) => id === change.id)) return comment
  return { ...comment, replies: comment.replies.map((reply) => changeIn(reply, change)) }
}
