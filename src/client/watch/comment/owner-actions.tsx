import { UnstyledButton } from '@mantine/core'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import classes from './comment-item.module.css'

/** What the owner of the video can do with a comment: put it before the others, give it a heart. */
export function OwnerActions({ comment }: { comment: Comment }) {
  const { id, videoId, isPinned, isHearted, parentId, withheld } = comment
  const utils = trpc.useUtils()
  const options = {
    onSuccess: () =>
      Promise.all([
        utils.comment.list.invalidate({ id: videoId }),
        utils.comment.pinned.invalidate({ id: videoId }),
      ]),
    onError: (error: unknown) =>
      notify({ tone: 'error', title: 'Error', message: errorSentence(error) }),
  }
  const pin = trpc.comment.pin.useMutation(options)
  const heart = trpc.comment.heart.useMutation(options)
  return (
    <>
      {parentId === null && withheld === null && (
        <UnstyledButton
          className={classes.action}
          disabled={pin.isPending}
          onClick={() => pin.mutate({ id, isPinned: !isPinned })}
        >
          {isPinned ? 'UNPIN' : 'PIN'}
        </UnstyledButton>
      )}
      <UnstyledButton
        className={classes.action}
        aria-pressed={isHearted}
        disabled={heart.isPending}
        onClick={() => heart.mutate({ id, isHearted: !isHearted })}
      >
        HEART
      </UnstyledButton>
    </>
  )
}
