import { CLIPS_SHOWN } from '#shared/limits.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { trpc } from '../../trpc.ts'
import classes from './clips-of-video.module.css'

export const ClipRow = lazyPart(
  () => import('./clip-row.tsx'),
  <div className={classes.waiting} />,
  null,
)

type ClipsOfVideoProps = {
  videoId: number
  /** Clip of the current page. */
  currentId?: number
}

/** Most liked first; renders nothing without clips. */
export function ClipsOfVideo({ videoId, currentId }: ClipsOfVideoProps) {
  const { data } = trpc.clip.ofVideo.useQuery({ id: videoId, limit: CLIPS_SHOWN })
  const clips = (data?.items ?? []).filter(({ id }) => id !== currentId)
  if (clips.length === 0) return null
  const title = currentId === undefined ? 'Clips' : 'More clips of this video'
  return <ClipRow {...{ title, clips, videoId }} />
}
