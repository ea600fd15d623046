import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { stoppingUploads } from '../create/upload/queue/tray/tray-request.ts'
import { UnpluggedDrawing } from '../kit/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { RequestId } from '../kit/list/request-id.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { connection } from '../platform/connection.ts'
import { CONNECTION_LOST, failedRequestId, isConnectionError } from '../platform/error-message.ts'
import { MissingChunk } from '../platform/missing-chunk.tsx'
import { useConnectionLost } from '../platform/use-connection-lost.ts'

const RELOADED_AT = 'clutch-reloaded-at'
/** A page that is missing again this soon after it was loaded again stays missing. */
const RELOAD_EVERY_MS = 60_000

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
    const over = new AbortController()
    const { signal } = over
    const recover = async () => {
      await connection.doubt()
      await connection.untilBack(signal)
      if (signal.aborted) return
      if (error instanceof MissingChunk) reloadOnce()
      else if (isConnectionError(error)) {
        reset()
        await router.invalidate()
      }
    }
    void recover().catch(() => undefined)
    return () => over.abort()
  }, [error, reset, router])
}

/** Not while files are sent, which would stop with the page. */
function reloadOnce(): void {
  if (stoppingUploads() > 0) return
  try {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT))
    if (Date.now() - reloadedAt < RELOAD_EVERY_MS) return
    sessionStorage.setItem(RELOADED_AT, String(Date.now()))
  } catch {
    // Without storage it could go on for ever.
    return
  }
  location.reload()
}
