import { useEffect } from 'react'
import type { ProcessingStatus } from '#shared/video.schemas.ts'
import { trpc } from '../../trpc.ts'

const POLL_MS = 1000

const isOver = (status: ProcessingStatus | undefined) =>
  status !== undefined && status.processingState !== 'processing'

/** How far the work on a video is, asked every second until it is done; then the lists are read again. */
export function useProcessingStatus(videoId: number): ProcessingStatus | undefined {
  const utils = trpc.useUtils()
  const { data: status } = trpc.video.processingStatus.useQuery(
    { id: videoId },
    { staleTime: 0, refetchInterval: (query) => (isOver(query.state.data) ? false : POLL_MS) },
  )
  const over = isOver(status)
  useEffect(() => {
    if (over) void utils.video.invalidate()
  }, [over, utils])
  return status
}
