import { useState } from 'react'
import { errorStatus } from '#client/platform/error-message.ts'
import { useMayStream, useReconnect } from '#client/platform/live-stream.ts'
import { trpc } from '#client/trpc.ts'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'

const FINAL: readonly Arriving['state'][] = ['ready', 'failed', 'cancelled']

/** The upload as it is now, once a first answer has said that it is there. */
export function useArriving(first: Arriving): Arriving {
  const [news, setNews] = useState(first)
  const isOver = FINAL.includes(news.state)
  const { status, reset, error } = trpc.arriving.follow.useSubscription(
    { id: first.id },
    { enabled: useMayStream() && !isOver, onData: setNews },
  )
  // It was cancelled, or closed to this viewer, while the page had no connection.
  const isGone = status === 'error' && [401, 404].includes(errorStatus(error) ?? 0)
  useReconnect(isOver || isGone ? 'idle' : status, reset)
  return isGone && !isOver ? { ...news, state: 'cancelled' } : news
}
