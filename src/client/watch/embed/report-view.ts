import type { Progress } from '#shared/schemas/library.schemas.ts'

const VIEW_SECONDS = 10

/**
 * Reports the start, and once a view: after 10 seconds or half of the video or clip. Sends no cookies, so viewers on
 * other sites stay anonymous.
 */
export function reportView(durationSeconds: number, clipId?: number): (progress: Progress) => void {
  const enough = durationSeconds > 0 ? Math.min(VIEW_SECONDS, durationSeconds / 2) : VIEW_SECONDS
  let hasBegun = false
  let isReported = false
  return (progress) => {
    // The server counts seconds only from the first report on.
    const isBeginning = !hasBegun
    if (isReported || (!isBeginning && progress.watchedSeconds < enough)) return
    hasBegun = true
    isReported = !isBeginning
    const { watchedSeconds } = progress
    void fetch(clipId ? '/trpc/clip.report' : '/trpc/history.report', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        clipId ? { id: clipId, watchedSeconds } : { ...progress, source: 'embed' },
      ),
      credentials: 'omit',
      keepalive: true,
    }).catch(() => undefined)
  }
}
