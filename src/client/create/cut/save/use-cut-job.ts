import { useState } from 'react'
import { trpc } from '#client/trpc.ts'
import type { CutState } from '#shared/schemas/cut.schemas.ts'

const POLL_MS = 1000

type Cut = NonNullable<CutState['cut']>

/** Running, failed, or finished since the page opened. */
export function useCutJob(videoId: number) {
  const utils = trpc.useUtils()
  const state = trpc.cut.state.useQuery(
    { videoId },
    {
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => (isRunning(data?.cut) ? POLL_MS : false),
    },
  )
  const cut = state.data?.cut ?? undefined
  const [seen, setSeen] = useState<Cut>()
  const [finished, setFinished] = useState<Cut>()
  const refresh = () =>
    Promise.all([utils.cut.invalidate(), utils.video.invalidate(), utils.search.invalidate()])
  if (isRunning(cut) && cut !== seen) {
    setSeen(cut)
    setFinished(undefined)
  } else if (state.data && !isRunning(cut) && seen) {
    setSeen(undefined)
    if (!cut) {
      setFinished(seen)
      queueMicrotask(() => void refresh())
    }
  }
  const start = trpc.cut.start.useMutation({
    onSuccess: () =>
      Promise.all([utils.cut.state.invalidate(), utils.video.listByUser.invalidate()]),
  })
  return {
    cut,
    finished,
    isBusy: isRunning(cut),
    bringBackUntil: state.data?.bringBackUntil ?? undefined,
    start: start.mutateAsync,
    refresh,
  }
}

export type CutJob = ReturnType<typeof useCutJob>

function isRunning(cut: Cut | null | undefined): boolean {
  return cut?.state === 'waiting' || cut?.state === 'running'
}
