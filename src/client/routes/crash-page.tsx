import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { UnpluggedDrawing } from '../kit/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { RequestId } from '../kit/list/request-id.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { CONNECTION_LOST, failedRequestId } from '../platform/error-message.ts'
import { MissingChunk } from '../platform/missing-chunk.tsx'

/** A page that broke, that could not be fetched, or that an update of the site has replaced since this tab was opened. */
export function CrashPage({ error }: ErrorComponentProps) {
  const requestId = failedRequestId(error)
  return (
    <>
      <PageTitle title="Something went wrong" />
      <EmptyState
        role="alert"
        drawing={<UnpluggedDrawing />}
        title="This page could not be shown"
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        {error instanceof MissingChunk
          ? CONNECTION_LOST
          : 'It may have been updated while you were here. Nothing you saved is lost.'}
        {requestId && <RequestId id={requestId} />}
      </EmptyState>
    </>
  )
}
