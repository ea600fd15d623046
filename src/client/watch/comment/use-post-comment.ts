import type { InfiniteData } from '@tanstack/react-query'
import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import type { CommentPlace, CommentsInput } from './comment-context.ts'
import { useCommentCache } from './use-comment-cache.ts'

type Draft = {
  content: string
  viewer: OwnUser
  /** Undefined for a top comment. */
  answersId: number | undefined
  topId: number | undefined
}
type Pages = InfiniteData<{ items: Comment[]; nextCursor: string | null }, string | null>

let lastDraftId = 0

/** Not yet on the server. */
export const isDraft = ({ id }: { id: number }) => id < 0

/** Optimistic: shows a draft; on refusal removes it and passes its text to `on.refused`. */
export function usePostComment(
  listInput: CommentsInput,
  on: { posted: (saved: Comment) => void; refused: (content: string) => void },
) {
  const utils = trpc.useUtils()
  const { limit: _, sort: __, ...place } = listInput
  const target = targetOf(place)
  const { refresh, stopReading } = useCommentCache()
  const create = trpc.comment.create.useMutation()
  return {
    isPosting: create.isPending,
    async post(draft: Draft): Promise<void> {
      const { content, answersId, topId } = draft
      const change = (update: (pages: Pages) => Pages) =>
        utils.comment.list.setInfiniteData(listInput, (pages) => pages && update(pages))
      lastDraftId -= 1
      const shown = { ...toComment(draft, lastDraftId), ...NOWHERE, ...target }
      await stopReading()
      utils.comment.count.setData(place, (count) => (count === undefined ? undefined : count + 1))
      change((pages) => withComment(pages, { comment: shown, topId }))
      try {
        const parentId = answersId ?? null
        const saved = await create.mutateAsync({ ...target, content, parentId })
        if (parentId === null) utils.comment.thread.setData({ id: saved.id }, saved)
        change((pages) => withComment(without(pages, shown.id), { comment: saved, topId }))
        on.posted(saved)
      } catch (error) {
        change((pages) => without(pages, shown.id))
        on.refused(content)
        const message = `Failed to add comment: ${errorMessage(error)}`
        notify({ tone: 'error', title: 'Error', message })
      }
      await refresh()
    },
  }
}

const NOWHERE = { videoId: null, clipId: null, postId: null }

function targetOf(place: CommentPlace) {
  if ('postId' in place) return place
  const { id: videoId, ...clip } = place
  return { videoId, ...clip }
}

function toComment({ content, viewer, answersId }: Draft, id: number) {
  const { id: userId, username, displayName, avatarUrl } = viewer
  return {
    id,
    userId,
    content: content.trim(),
    likeCount: 0,
    dislikeCount: 0,
    parentId: answersId ?? null,
    createdAt: new Date().toISOString(),
    editedAt: null,
    isPinned: false,
    isHearted: false,
    withheld: null,
    user: { id: userId, username, displayName, avatarUrl },
    myRating: null,
  }
}

/** A top comment becomes the first in every order; a reply the last. */
function withComment(
  pages: Pages,
  { comment, topId }: { comment: Comment; topId: number | undefined },
): Pages {
  if (topId === undefined) {
    return mapPages(pages, (items, index) => (index > 0 ? items : [comment, ...items]))
  }
  return mapPages(pages, (items) =>
    items.map((item) =>
      item.id === topId ? { ...item, replies: [...(item.replies ?? []), comment] } : item,
    ),
  )
}

function without(pages: Pages, id: number): Pages {
  return mapPages(pages, (items) =>
    items
      .filter((item) => item.id !== id)
      .map((item) =>
        item.replies ? { ...item, replies: item.replies.filter((reply) => reply.id !== id) } : item,
      ),
  )
}

function mapPages(pages: Pages, map: (items: Comment[], index: number) => Comment[]): Pages {
  return {
    ...pages,
    pages: pages.pages.map((page, index) => ({ ...page, items: map(page.items, index) })),
  }
}
