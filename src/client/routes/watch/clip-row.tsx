import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { ClipSection } from '../../browse/clip/clip-section.tsx'
import { clipsOfVideo } from '../../browse/queue/clip-queue-key.ts'

type ClipRowProps = {
  title: string
  clips: readonly Clip[]
  /** The clips of this video play as a queue. */
  videoId?: number
}

export default function ClipRow({ title, clips, videoId }: ClipRowProps) {
  return (
    <ClipSection
      {...{ title, clips }}
      {...(videoId !== undefined && { list: clipsOfVideo(videoId) })}
    />
  )
}
