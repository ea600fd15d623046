import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { whenIdle } from '../../platform/when-idle.ts'

const WatchingNow = lazyPart(
  async () => {
    await whenIdle()
    return import('../../watch/live/watching-now.tsx')
  },
  null,
  null,
)

/** Faces are shown only to viewers who show theirs. */
export function Watching({ videoId, viewer }: { videoId: number; viewer: OwnUser | null }) {
  return <WatchingNow videoId={videoId} showsFaces={viewer?.showsPresence === true} />
}
