import { trpc } from '#client/trpc.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'
import { commentsInput } from '../comment/comment-sort.ts'
import { useCommentCache } from '../comment/use-comment-cache.ts'
import { videoNews } from './video-news.ts'

const withReplies = (comments: readonly Comment[]): Reply[] =>
  comments.flatMap((comment) => [comment, ...(comment.replies ?? [])])

const newestOf = (comments: Iterable<Reply>) => Math.max(0, ...[...comments].map(({ id }) => id))

export type LivePlace = { id: number; clipId?: number }
type Page = { place: LivePlace; viewerId: number | undefined }

/**
 * Counts the comments of others that the list does not show yet. Likes and edits are shown at
 * once, because they move nothing.
 */
export function useCommentNews({ place, viewerId }: Page): () => Promise<void> {
  const utils = trpc.useUtils()
  const { change } = useCommentCache()
  return async () => {
    const list = () => utils.comment.list.getInfiniteData(commentsInput(place))?.pages
    // A list that is still loading will have all comments.
    if (!list()) return
    const { comment } = utils.client
    const after =
      videoNews.get().seenUpTo ?? newestOf(withReplies(list()?.flatMap((page) => page.items) ?? []))
    const [fresh, found] = await Promise.all([
      comment.list.query(commentsInput(place, 'newest')),
      comment.newSince.query({ ...place, after }),
    ])
    const listed = withReplies(list()?.flatMap((page) => page.items) ?? [])
    const shown = new Map(listed.map((one) => [one.id, one]))
    for (const now of withReplies(fresh.items)) {
      const before = shown.get(now.id)
      if (before && differs(before, now)) change(now.id, stateOf(now))
    }
    videoNews.set({
      ...{ videoId: place.id, seenUpTo: after },
      newComments: found.filter(({ id, userId }) => !shown.has(id) && userId !== viewerId),
    })
    await utils.comment.count.invalidate(place)
  }
}

const stateOf = ({ likeCount, dislikeCount, content, editedAt, isHearted }: Reply) => ({
  ...{ likeCount, dislikeCount, content, editedAt, isHearted },
})

const differs = (one: Reply, other: Reply) =>
  JSON.stringify(stateOf(one)) !== JSON.stringify(stateOf(other))
