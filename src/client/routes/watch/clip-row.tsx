import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { ClipSection } from '../../browse/clip/clip-section.tsx'
import { clipsOfVideo } from '../../browse/queue/clip-queue-key.ts'

type ClipRowProps = { title: string; clips: readonly Clip[]; videoId: number }

/** Plays as a queue. */
export default function ClipRow({ title, clips, videoId }: ClipRowProps) {
  return <ClipSection title={title} clips={clips} list={clipsOfVideo(videoId)} />
}
