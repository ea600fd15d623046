import { Button } from '@mantine/core'
import { errorSentence, failedRequestId } from '../../platform/error-message.ts'
import { UnpluggedDrawing } from '../drawings/unplugged-drawing.tsx'
import { EmptyState } from './empty-state.tsx'
import { RequestId } from './request-id.tsx'

type LoadErrorProps = {
  error: unknown
  /** What the error says, by default. */
  text?: string
  onRetry: () => void
  /** Where it stands for the whole page. */
  heading?: 'h1'
}

/** Something that could not be loaded, in the place where it would stand, with a way to try again. */
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
