import { Button } from '@mantine/core'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { UnpluggedDrawing } from '../../kit/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { RequestId } from '../../kit/list/request-id.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { errorStatus, failedRequestId, serverSentence } from '../../platform/error-message.ts'

type WatchFailureProps = {
  title: string
  /** Fallback text for a missing one. */
  notFound: string
  error: unknown
  onRetry: () => void
}

export default function WatchFailure({ title, notFound, error, onRetry }: WatchFailureProps) {
  // Retrying does not help.
  const isGone = !error || [400, 404].includes(errorStatus(error) ?? 0)
  const requestId = failedRequestId(error)
  return (
    <>
      <PageTitle title={title} />
      <EmptyState
        role="alert"
        heading="h1"
        drawing={<UnpluggedDrawing />}
        title={title}
        action={
          <>
            {!isGone && <Button onClick={onRetry}>Try again</Button>}
            <LinkButton to="/" variant={isGone ? 'filled' : 'default'}>
              Return to Home
            </LinkButton>
          </>
        }
      >
        {serverSentence(error) || notFound}
        {requestId && <RequestId id={requestId} />}
      </EmptyState>
    </>
  )
}
