import { Button } from '@mantine/core'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Video, WorkStatus } from '#shared/schemas/video.schemas.ts'

type ProcessingActionsProps = {
  video: Pick<Video, 'id' | 'title' | 'processingState'>
  /** Background work of a playing video. */
  ladder?: WorkStatus
  size?: 'sm' | 'md'
}

/** Cancel or retry. */
export function ProcessingActions({ video, ladder, size = 'sm' }: ProcessingActionsProps) {
  const { id, title } = video
  const state = ladder?.state ?? video.processingState
  const utils = trpc.useUtils()
  const options = {
    onSuccess: () => utils.video.invalidate(),
    onError: (error: unknown) =>
      notify({ tone: 'error', title: 'That could not be done', message: errorSentence(error) }),
  }
  const cancel = trpc.video.cancelProcessing.useMutation(options)
  const retry = trpc.video.retryProcessing.useMutation(options)
  if (state === 'processing' || state === 'waiting' || state === 'running') {
    return (
      <Button
        variant="default"
        size={size}
        aria-label={
          ladder ? `Cancel preparing more qualities of ${title}` : `Cancel preparing ${title}`
        }
        disabled={cancel.isPending}
        onClick={() => cancel.mutate({ id })}
      >
        {cancel.isPending ? 'Cancelling...' : 'Cancel'}
      </Button>
    )
  }
  if (state !== 'failed') return null
  return (
    <Button
      variant="default"
      size={size}
      aria-label={
        ladder ? `Try again to prepare more qualities of ${title}` : `Try again to prepare ${title}`
      }
      disabled={retry.isPending}
      onClick={() => retry.mutate({ id })}
    >
      {retry.isPending ? 'Trying...' : 'Try again'}
    </Button>
  )
}
