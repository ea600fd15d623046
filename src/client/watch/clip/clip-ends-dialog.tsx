import '#client/kit/styles/mantine-pages.css'
import { row } from '#client/kit/layout/layout.ts'
import '@mantine/core/styles/Slider.layer.css'
import { RangeSlider } from '@mantine/core'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { type FieldLabels, useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { trpc } from '#client/trpc.ts'
import { CLIP_SECONDS_MAX, CLIP_SECONDS_MIN } from '#shared/limits.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatTenths } from '#shared/text/format.ts'
import { endPlayer } from '../player/host/hosted-player.ts'
import classes from './clip-ends-dialog.module.css'

/** Selectable seconds beyond each end. */
const ROOM_SECONDS = 30
const STEP_SECONDS = 0.1

type Ends = Pick<Clip, 'startSeconds' | 'endSeconds'>

const LABELS: FieldLabels<Ends> = {
  startSeconds: { label: 'Begins at', show: formatTenths },
  endSeconds: { label: 'Ends at', show: formatTenths },
}

type ClipEndsDialogProps = {
  clip: Pick<Clip, 'id' | 'startSeconds' | 'endSeconds' | 'video'>
  onClose: () => void
}

export default function ClipEndsDialog({ clip, onClose }: ClipEndsDialogProps) {
  const utils = trpc.useUtils()
  const before: [number, number] = [clip.startSeconds, clip.endSeconds]
  const { startSeconds, endSeconds } = clip
  const form = useEditForm<Ends>({ saved: { startSeconds, endSeconds }, labels: LABELS })
  const { startSeconds: start, endSeconds: end } = form.values
  const update = trpc.clip.update.useMutation({
    onSuccess: async () => {
      // The player has the old range.
      endPlayer()
      await utils.clip.invalidate()
    },
    onError: form.noteConflicts,
  })
  return (
    <AskDialog
      title="Adjust start and end"
      confirmLabel="Save"
      pendingLabel="Saving..."
      isHeld={!form.isChanged}
      isDirty={form.isChanged}
      onConfirm={() => update.mutateAsync({ id: clip.id, ...form.edit() })}
      onClose={onClose}
    >
      <p className={row(16, 'between', 'stretch')}>
        {formatTenths(start)} to {formatTenths(end)}
        <b>{(end - start).toFixed(1)} s</b>
      </p>
      <RangeSlider
        className={classes.slider}
        min={Math.max(0, before[0] - ROOM_SECONDS)}
        max={Math.min(Math.max(clip.video.duration, before[1]), before[1] + ROOM_SECONDS)}
        minRange={CLIP_SECONDS_MIN}
        maxRange={CLIP_SECONDS_MAX}
        step={STEP_SECONDS}
        label={null}
        value={[start, end]}
        thumbFromLabel="Begins at"
        thumbToLabel="Ends at"
        thumbProps={(index) => ({ 'aria-valuetext': formatTenths(index === 0 ? start : end) })}
        onChange={([from, to]) => form.setValues({ startSeconds: from, endSeconds: to })}
      />
      <EditConflicts form={form} />
    </AskDialog>
  )
}
