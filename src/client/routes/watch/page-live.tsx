import { useSession } from '../../account/auth/use-session.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { whenIdle } from '../../platform/when-idle.ts'

const VideoLive = lazyPart(
  async () => {
    await whenIdle()
    return import('../../watch/live/video-live.tsx')
  },
  null,
  null,
)

type PageLiveProps = { videoId: number; clipId?: number }

/** A page mounts one. Two would open two streams and show each reaction twice. */
export function PageLive({ videoId, clipId }: PageLiveProps) {
  const viewer = useSession()
  const place = clipId === undefined ? { id: videoId } : { id: videoId, clipId }
  return <VideoLive place={place} viewerId={viewer?.id} />
}
