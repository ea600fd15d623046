import { trpc } from '#client/trpc.ts'
import type { Comment, CommentSort, Reply } from '#shared/schemas/comment.schemas.ts'
import { commentsInput } from '../comment/comment-sort.ts'
import { useCommentCache } from '../comment/use-comment-cache.ts'
import { videoNews } from './video-news.ts'

const withReplies = (comments: readonly Comment[]): Reply[] =>
  comments.flatMap((comment) => [comment, ...(comment.replies ?? [])])

const newestOf = (comments: Iterable<Reply>) => Math.max(0, ...[...comments].map(({ id }) => id))

export type LivePlace = { id: number; clipId?: number }
type Page = { place: LivePlace; viewerId: number | undefined }

export function useCommentNews({ place, viewerId }: Page) {
  const utils = trpc.useUtils()
  const { change, remove } = useCommentCache()
  const { comment } = utils.client
  const listed = (sort?: CommentSort) => {
    const pages = utils.comment.list.getInfiniteData(commentsInput(place, sort))?.pages
    return pages && withReplies(pages.flatMap(({ items }) => items))
  }

  /** Notes the newest comment, after which others are new. */
  async function begin(): Promise<void> {
    let known = listed('newest')
    if (!known) {
      const { items } = await comment.list.query({ ...commentsInput(place, 'newest'), limit: 1 })
      known = withReplies(items)
    }
    if (videoNews.get().seenUpTo === undefined) {
      videoNews.set({ videoId: place.id, seenUpTo: newestOf(known) })
    }
  }

  /**
   * Finds the comments of others that the list does not show yet. Likes and edits are shown at
   * once, because they move nothing, and deleted and hidden comments disappear at once.
   */
  async function look(): Promise<void> {
    // A list that is still loading will have all comments.
    const shownBefore = listed()
    if (!shownBefore) return
    if (videoNews.get().seenUpTo === undefined) await begin()
    const after = videoNews.get().seenUpTo ?? 0
    const [fresh, found] = await Promise.all([
      comment.list.query(commentsInput(place, 'newest')),
      comment.newSince.query({ ...place, after }),
    ])
    for (const { id } of findGone(shownBefore, fresh)) remove(id)
    const shown = new Map(listed()?.map((one) => [one.id, one]))
    for (const now of withReplies(fresh.items)) {
      const before = shown.get(now.id)
      if (before && differs(before, now)) change(now.id, stateOf(now))
    }
    videoNews.set({
      videoId: place.id,
      newComments: found.filter(({ id, userId }) => !shown.has(id) && userId !== viewerId),
    })
    await utils.comment.count.invalidate(place)
  }

  return { begin, look }
}

/**
 * @param shown listed before the newest comments were read
 * @returns those that would be among the newest if they were still there
 */
export function findGone(
  shown: readonly Reply[],
  { items, nextCursor }: { items: readonly Comment[]; nextCursor?: unknown },
): Reply[] {
  const oldest = nextCursor == null ? 0 : Math.min(...items.map(({ id }) => id))
  const found = new Set(withReplies(items).map(({ id }) => id))
  const hasAllReplies = ({ replyCount = 0, replies = [] }: Comment) => replyCount <= replies.length
  const complete = new Set(items.filter(hasAllReplies).map(({ id }) => id))
  return shown.filter(({ id, parentId }) => {
    if (id < 0 || found.has(id)) return false
    return parentId === null ? id >= oldest : complete.has(parentId)
  })
}

const stateOf = ({ likeCount, dislikeCount, content, editedAt, isHearted }: Reply) => ({
  ...{ likeCount, dislikeCount, content, editedAt, isHearted },
})

const differs = (one: Reply, other: Reply) =>
  JSON.stringify(stateOf(one)) !== JSON.stringify(stateOf(other))
