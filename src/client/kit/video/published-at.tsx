import { TimeAgo } from './time-ago.tsx'

export function PublishedAt({ time }: { time: string | null }) {
  return time ? <TimeAgo time={time} /> : 'Recently published'
}
