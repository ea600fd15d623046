import type { Video } from '#shared/video.schemas.ts'
import { errorMessage } from '../lib/error-message.ts'
import { notify } from '../lib/notify.ts'
import { trpc } from '../trpc.ts'
import { Button } from './button.tsx'

type ProcessingActionsProps = {
  video: Pick<Video, 'id' | 'title' | 'processingState'>
  size?: 'small' | 'medium'
}

/** Gives up the work on one's own video, or takes it up again. */
export function ProcessingActions({ video, size = 'small' }: ProcessingActionsProps) {
  const { id, title, processingState } = video
  const utils = trpc.useUtils()
  const options = {
    onSuccess: () => utils.video.invalidate(),
    onError: (error: unknown) =>
      notify({ tone: 'error', title: 'That could not be done', message: errorMessage(error) }),
  }
  const cancel = trpc.video.cancelProcessing.useMutation(options)
  const retry = trpc.video.retryProcessing.useMutation(options)
  if (processingState === 'processing') {
    return (
      <Button
        variant="default"
        size={size}
        aria-label={`Cancel preparing ${title}`}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate({ id })}
      >
        {cancel.isPending ? 'Cancelling...' : 'Cancel'}
      </Button>
    )
  }
  if (processingState !== 'failed') return null
  return (
    <Button
      variant="default"
      size={size}
      aria-label={`Try again to prepare ${title}`}
      disabled={retry.isPending}
      onClick={() => retry.mutate({ id })}
    >
      {retry.isPending ? 'Trying...' : 'Try again'}
    </Button>
  )
}
