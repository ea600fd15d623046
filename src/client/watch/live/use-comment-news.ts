import { trpc } from '#client/trpc.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'
import { commentsInput } from '../comment/comment-sort.ts'
import { useCommentCache } from '../comment/use-comment-cache.ts'
import { videoNews } from './video-news.ts'

const withReplies = (comments: readonly Comment[]): Reply[] =>
  comments.flatMap((comment) => [comment, ...(comment.replies ?? [])])

const newestOf = (ids: Iterable<number>) => Math.max(0, ...ids)

export type LivePlace = { id: number; clipId?: number }
type Page = { place: LivePlace; viewerId: number | undefined }

/**
 * Returns a function that counts comments of others that the list does not show yet. It applies
 * likes and edits to shown comments at once, because they move nothing.
 */
export function useCommentNews({ place, viewerId }: Page): () => Promise<void> {
  const utils = trpc.useUtils()
  const { change } = useCommentCache()
  return async () => {
    const fresh = await utils.client.comment.list.query(commentsInput(place, 'newest'))
    const input = commentsInput(place)
    const pages = utils.comment.list.getInfiniteData(input)?.pages
    // The list is still loading and will contain the new comments.
    if (!pages) return
    const listed = withReplies(pages.flatMap(({ items }) => items))
    const shown = new Map(listed.map((one) => [one.id, one]))
    const all = withReplies(fresh.items)
    const newestId = newestOf(all.map(({ id }) => id))
    // In another order, older comments may be further down the list, so those that exist now are
    // not new.
    const seenUpTo =
      videoNews.get().seenUpTo ?? (input.sort === undefined ? newestOf(shown.keys()) : newestId)
    for (const now of all) {
      const before = shown.get(now.id)
      if (before && differs(before, now)) change(now.id, stateOf(now))
    }
    const isNew = ({ id, userId }: Reply) => id > seenUpTo && !shown.has(id) && userId !== viewerId
    videoNews.set({
      ...{ videoId: place.id, seenUpTo, newestId },
      newCount: all.filter(isNew).length,
      newComments: fresh.items.filter(isNew),
    })
    await utils.comment.count.invalidate(place)
  }
}

const stateOf = ({ likeCount, dislikeCount, content, editedAt, isHearted }: Reply) => ({
  ...{ likeCount, dislikeCount, content, editedAt, isHearted },
})

const differs = (one: Reply, other: Reply) =>
  JSON.stringify(stateOf(one)) !== JSON.stringify(stateOf(other))
