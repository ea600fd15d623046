import { Button } from '@mantine/core'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { ExportMontage } from '../../montage/export-montage.tsx'
import { choiceOfVideo } from '../../montage/montage-choice.ts'
import classes from './selection-bar.module.css'

type SelectionBarProps = {
  videos: readonly Video[]
  /** Unselected ones shown. */
  rest: number
  onSelectAll: () => void
  onClear: () => void
  onEdit: () => void
  onDelete: () => void
}

export function SelectionBar({ videos, rest, ...actions }: SelectionBarProps) {
  return (
    <section className={`${row(8, 'wrap')} ${classes.bar}`} aria-label="Selected videos">
      <p className={look('display')} role="status">
        {videos.length} selected
      </p>
      {rest > 0 && (
        <Button variant="subtle" size="sm" onClick={actions.onSelectAll}>
          Select all shown
        </Button>
      )}
      <Button variant="subtle" size="sm" onClick={actions.onClear}>
        Clear selection
      </Button>
      <span className={`${wrapped(8, 'marginStartAuto')} ${classes.actions}`}>
        <ExportMontage choices={videos.filter(isPlaying).map(choiceOfVideo)} />
        <Button variant="default" onClick={actions.onEdit}>
          Edit selected
        </Button>
        <Button variant="outline" color="pulse" onClick={actions.onDelete}>
          Delete selected
        </Button>
      </span>
    </section>
  )
}

function isPlaying({ processingState, videoUrl }: Video): boolean {
  return processingState === 'ready' && videoUrl !== null
}
