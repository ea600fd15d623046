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

/** For an error, a part that failed to load, or one that an update replaced. */
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
          : 'The site may have been updated while you were here. Nothing you saved is lost.'}
        {requestId && <RequestId id={requestId} />}
      </EmptyState>
    </>
  )
}

/** Reloads once connected if a part failed to load, otherwise renders again. */
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
