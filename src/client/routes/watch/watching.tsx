import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { row } from '../../kit/layout/layout.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { whenIdle } from '../../platform/when-idle.ts'
import classes from './watching.module.css'

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
  const showsFaces = viewer?.showsPresence === true
  return (
    <span
      className={`${row(0, 'inline', 'end', 'marginStartAuto')} ${classes.place}`}
      data-faces={showsFaces || undefined}
    >
      <WatchingNow videoId={videoId} showsFaces={showsFaces} />
    </span>
  )
}
