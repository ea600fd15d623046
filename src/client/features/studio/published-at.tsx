import { TimeAgo } from '../../components/time-ago.tsx'
import { useMinute } from '../../lib/use-minute.ts'

const MINUTE_MS = 60_000

/** When a video was published: 'Recently published' in the first minute, then as times are told. */
export function PublishedAt({ time }: { time: string }) {
  useMinute()
  const isRecent = Date.now() - new Date(time).getTime() < MINUTE_MS
  return isRecent ? 'Recently published' : <TimeAgo time={time} />
}
