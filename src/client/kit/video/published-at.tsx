import { TimeAgo } from './time-ago.tsx'

/** A video's age; 'Recently published' where its time is missing. */
export function PublishedAt({ time }: { time: string | null }) {
  return time ? <TimeAgo time={time} /> : 'Recently published'
}
