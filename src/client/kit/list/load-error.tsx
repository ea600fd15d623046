import { Button } from '@mantine/core'
import { errorSentence, failedRequestId } from '../../platform/error-message.ts'
import { UnpluggedDrawing } from '../drawings/unplugged-drawing.tsx'
import { EmptyState } from './empty-state.tsx'
import { RequestId } from './request-id.tsx'

type LoadErrorProps = {
  error: unknown
  /** The error's own text by default. */
  text?: string
  onRetry: () => void
  /** For a whole page. */
  heading?: 'h1'
}

export function LoadError({ error, text, onRetry, heading }: LoadErrorProps) {
  const requestId = failedRequestId(error)
  return (
    <EmptyState
      role="alert"
      {...(heading && { heading })}
      drawing={<UnpluggedDrawing />}
      title={text ?? errorSentence(error)}
      action={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {requestId && <RequestId id={requestId} />}
    </EmptyState>
  )
}
