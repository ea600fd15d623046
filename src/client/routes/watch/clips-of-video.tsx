import { CLIPS_SHOWN } from '#shared/limits.ts'
import { ClipSection } from '../../browse/clip/clip-section.tsx'
import { trpc } from '../../trpc.ts'

type ClipsOfVideoProps = {
  videoId: number
  /** The clip whose page it is. */
  besideId?: number
}

/** What members cut out of a video, the most liked first; nothing where nobody did. */
export function ClipsOfVideo({ videoId, besideId }: ClipsOfVideoProps) {
  const { data } = trpc.clip.ofVideo.useQuery({ id: videoId, limit: CLIPS_SHOWN })
  const clips = (data?.items ?? []).filter(({ id }) => id !== besideId)
  const title = besideId === undefined ? 'Clips' : 'More clips of this video'
  return <ClipSection title={title} clips={clips} />
}
