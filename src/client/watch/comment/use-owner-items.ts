import { IconHeart, IconHeartOff, IconPin, IconPinnedOff } from '@tabler/icons-react'
import type { RowMenuItem } from '#client/kit/menu/row-menu-item.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import { useCommentCache } from './use-comment-cache.ts'

/** Pin and heart. */
export function useOwnerItems(comment: Comment): RowMenuItem[] {
  const { id, isPinned, isHearted, parentId, withheld } = comment
  const { refresh } = useCommentCache()
  const options = {
    onSuccess: refresh,
    onError: (error: unknown) =>
      notify({ tone: 'error', title: 'Error', message: errorSentence(error) }),
  }
  const pin = trpc.comment.pin.useMutation(options)
  const heart = trpc.comment.heart.useMutation(options)
  const love: RowMenuItem = {
    label: isHearted ? 'Remove the heart' : 'Give a heart',
    Icon: isHearted ? IconHeartOff : IconHeart,
    onPress: () => heart.mutate({ id, isHearted: !isHearted }),
  }
  if (parentId !== null || withheld !== null) return [love]
  const toTop: RowMenuItem = {
    label: isPinned ? 'Unpin' : 'Pin to the top',
    Icon: isPinned ? IconPinnedOff : IconPin,
    onPress: () => pin.mutate({ id, isPinned: !isPinned }),
  }
  return [toTop, love]
}
