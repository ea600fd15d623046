import { TimeAgo } from './time-ago.tsx'

/** 'Recently published' without a time. */
export function PublishedAt({ time }: { time: string | null }) {
  return time ? <TimeAgo time={time} /> : 'Recently published'
}
