import type { LiveReaction } from '#server/platform/events/video-feed.ts'
import { followEvents } from './event-stream.ts'
import type { TestMember } from './test-site.ts'

type Change = { changed?: string[]; reactions?: LiveReaction[]; watching?: number }

/** Subscribes to a video as its page does. The server must be listening. */
export function followVideo(
  origin: string,
  { id, ...by }: { id: number; as?: TestMember | undefined; userAgent?: string },
) {
  return followEvents<Change>(origin, { name: 'live.onVideo', input: { id }, ...by })
}
