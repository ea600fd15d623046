import { PublishedAt } from '#client/kit/video/published-at.tsx'
import { useMinute } from '#client/platform/use-minute.ts'

const MINUTE_MS = 60_000

/** 'Recently published' in the first minute too. */
export function StudioPublishedAt({ time }: { time: string | null }) {
  useMinute()
  const isRecent = time !== null && Date.now() - new Date(time).getTime() < MINUTE_MS
  return <PublishedAt time={isRecent ? null : time} />
}
