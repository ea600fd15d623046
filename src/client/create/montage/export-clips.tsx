import { look, row } from '#client/kit/layout/layout.ts'
import { MONTAGE_ITEMS_MAX } from '#shared/limits.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { ExportMontage } from './export-montage.tsx'
import { choiceOfClip } from './montage-choice.ts'

type ExportClipsProps = {
  /** Loaded ones. */
  clips: readonly Clip[]
  hasMore: boolean
  viewerId: number | undefined
}

/** Only of clips that the viewer may use. */
export function ExportClips({ clips, hasMore, viewerId }: ExportClipsProps) {
  const usable = clips.filter(({ video }) => video.userId === viewerId || video.allowsClipVideos)
  const choices = usable.slice(0, MONTAGE_ITEMS_MAX).map(choiceOfClip)
  if (choices.length === 0) return null
  return (
    <div className={row([8, 12], 'wrap', 'end')}>
      {(hasMore || choices.length < clips.length) && (
        <p className={look('note')}>
          {choices.length} of {clips.length} clips {hasMore && 'that are loaded '}can be used
        </p>
      )}
      <ExportMontage choices={choices} />
    </div>
  )
}
