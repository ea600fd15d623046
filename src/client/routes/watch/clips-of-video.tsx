import { CLIPS_SHOWN } from '#shared/limits.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { trpc } from '../../trpc.ts'
import classes from './clips-of-video.module.css'

/** Most videos have none. */
const ClipRow = lazyPart(() => import('./clip-row.tsx'), <div className={classes.waiting} />, null)

type ClipsOfVideoProps = {
  videoId: number
  /** The clip whose page it is. */
  besideId?: number
}

/** What members cut out of a video, the most liked first; nothing where nobody did. */
export function ClipsOfVideo({ videoId, besideId }: ClipsOfVideoProps) {
  const { data } = trpc.clip.ofVideo.useQuery({ id: videoId, limit: CLIPS_SHOWN })
  const clips = (data?.items ?? []).filter(({ id }) => id !== besideId)
  if (clips.length === 0) return null
  const title = besideId === undefined ? 'Clips' : 'More clips of this video'
  return <ClipRow {...{ title, clips, videoId }} />
}
