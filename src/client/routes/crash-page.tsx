import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { UnpluggedDrawing } from '../kit/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { RequestId } from '../kit/list/request-id.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { connection } from '../platform/connection.ts'
import { CONNECTION_LOST, failedRequestId, isConnectionError } from '../platform/error-message.ts'
import { reloadIfHarmless } from '../platform/harmless-reload.ts'
import { MissingChunk } from '../platform/missing-chunk.tsx'
import { useConnectionLost } from '../platform/use-connection-lost.ts'

/** A page that broke, that could not be fetched, or that an update of the site has replaced since this tab was opened. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const isLost = useConnectionLost()
  useRecovery(error, reset)
  const requestId = failedRequestId(error)
  const isMissing = error instanceof MissingChunk
  if (isLost && (isMissing || isConnectionError(error))) return <PageSpinner />
  return (
    <>
      <PageTitle title="Something went wrong" />
      <EmptyState
        role="alert"
        drawing={<UnpluggedDrawing />}
        title="This page could not be shown"
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        {isMissing
          ? CONNECTION_LOST
          : 'It may have been updated while you were here. Nothing you saved is lost.'}
        {requestId && <RequestId id={requestId} />}
      </EmptyState>
    </>
  )
}

/** Shows the page once there is a connection: it is loaded again where a part of it could not be fetched. */
function useRecovery(error: unknown, reset: () => void): void {
  const router = useRouter()
  useEffect(() => {
    let isOver = false
    const recover = () => {
      if (isOver || connection.isLost()) return
      if (error instanceof MissingChunk) reloadIfHarmless()
      else if (isConnectionError(error)) {
        reset()
        void router.invalidate()
      }
    }
    void connection.doubt().then(recover)
    const stopListening = connection.onBack(recover)
    return () => {
      isOver = true
      stopListening()
    }
  }, [error, reset, router])
}
