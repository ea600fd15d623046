import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { ExportMontage } from '../../montage/export-montage.tsx'
import { choiceOfVideo } from '../../montage/montage-choice.ts'
import classes from './selection-bar.module.css'

type Selection = {
  /** Unselected ones shown. */
  rest: number
  onSelectAll: () => void
  onClear: () => void
}

type SelectionBarProps = Selection & {
  label: string
  count: number
  children: ReactNode
}

export function SelectionBar({ label, count, rest, children, ...actions }: SelectionBarProps) {
  return (
    <section className={`${row(8, 'wrap')} ${classes.bar}`} aria-label={label}>
      <p className={look('display')} role="status">
        {count} selected
      </p>
      {rest > 0 && (
        <Button variant="subtle" size="sm" onClick={actions.onSelectAll}>
          Select all shown
        </Button>
      )}
      <Button variant="subtle" size="sm" onClick={actions.onClear}>
        Clear selection
      </Button>
      <span className={`${wrapped(8, 'marginStartAuto')} ${classes.actions}`}>{children}</span>
    </section>
  )
}

type SelectedVideosProps = Selection & {
  videos: readonly Video[]
  onEdit: () => void
  onDelete: () => void
}

export function SelectedVideos({ videos, onEdit, onDelete, ...selection }: SelectedVideosProps) {
  return (
    <SelectionBar label="Selected videos" count={videos.length} {...selection}>
      <ExportMontage choices={videos.filter(isPlaying).map(choiceOfVideo)} />
      <Button variant="default" onClick={onEdit}>
        Edit selected
      </Button>
      <Button variant="outline" color="pulse" onClick={onDelete}>
        Delete selected
      </Button>
    </SelectionBar>
  )
}

function isPlaying({ processingState, videoUrl }: Video): boolean {
  return processingState === 'ready' && videoUrl !== null
}
