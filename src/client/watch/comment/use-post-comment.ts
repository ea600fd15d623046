import type { InfiniteData } from '@tanstack/react-query'
import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import type { CommentsInput } from './comment-context.ts'

type Draft = {
  content: string
  viewer: OwnUser
  /** How the list that it will be in was asked for; its id is the video's. */
  listInput: CommentsInput
  /** The comment or reply that is answered, and the top comment that it belongs to. */
  answersId: number | undefined
  topId: number | undefined
}
type Pages = InfiniteData<{ items: Comment[]; nextCursor: string | null }, string | null>

let lastDraftId = 0

/** True for a comment that the server does not have yet. */
export const isDraft = ({ id }: { id: number }) => id < 0

/**
 * Posts a comment or a reply. It is in the list at once, as a draft; when the server refuses it is taken out
 * again and `onRefused` gets its text back.
 */
export function usePostComment(on: {
  posted: (saved: Comment) => void
  refused: (content: string) => void
}) {
  const utils = trpc.useUtils()
  const create = trpc.comment.create.useMutation()
  return {
    isPosting: create.isPending,
    async post(draft: Draft): Promise<void> {
      const { content, listInput, answersId, topId } = draft
      const change = (update: (pages: Pages) => Pages) =>
        utils.comment.list.setInfiniteData(listInput, (pages) => pages && update(pages))
      lastDraftId -= 1
      const shown = toComment(draft, lastDraftId)
      await utils.comment.list.cancel(listInput)
      change((pages) => withComment(pages, { comment: shown, topId }))
      try {
        const parentId = answersId ?? null
        const saved = await create.mutateAsync({
          ...{ videoId: listInput.id, clipId: listInput.clipId, content, parentId },
        })
        change((pages) => withComment(without(pages, shown.id), { comment: saved, topId }))
        on.posted(saved)
      } catch (error) {
        change((pages) => without(pages, shown.id))
        on.refused(content)
        const message = `Failed to add comment: ${errorMessage(error)}`
        notify({ tone: 'error', title: 'Error', message })
      }
      await Promise.all([
        utils.comment.list.invalidate({ id: listInput.id }),
        utils.comment.replies.invalidate(),
      ])
    },
  }
}

function toComment({ content, viewer, listInput, answersId }: Draft, id: number): Comment {
  const { id: userId, username, displayName, avatarUrl } = viewer
  return {
    id,
    videoId: listInput.id,
    clipId: listInput.clipId ?? null,
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

/** A top comment goes before the others, after those that are pinned; a reply after the others of its comment. */
function withComment(
  pages: Pages,
  { comment, topId }: { comment: Comment; topId: number | undefined },
): Pages {
  if (topId === undefined) {
    return mapPages(pages, (items, index) => {
      if (index > 0) return items
      const place = items.filter((item) => item.isPinned).length
      return items.toSpliced(place, 0, comment)
    })
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
