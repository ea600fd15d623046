import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { row, stack } from '#client/kit/layout/layout.ts'
import { GameSelect } from '#client/kit/video/game-select.tsx'
import {
  type ChosenLevel,
  KEEP_LEVEL,
  VideoLevelField,
} from '#client/kit/visibility/visibility-field.tsx'
import { useDefaultVisibility } from '#client/platform/use-default-visibility.ts'
import type { VideoFieldValues } from '../../form/video-fields.tsx'
import { isEditable, type QueueItem } from '../queue-item.ts'
import { uploadQueue } from '../site-queue.ts'
import classes from './batch-fields.module.css'

/** Applies to all at once. */
export function BatchFields({ items }: { items: readonly QueueItem[] }) {
  const usual = useDefaultVisibility()
  const files = items.filter(isEditable)
  if (files.length === 0) return null
  const change = (details: Partial<VideoFieldValues>) =>
    uploadQueue.changeDetails(
      files.map(({ id }) => id),
      () => details,
    )
  const category = commonOf(files.map(({ details }) => details.category))
  const level = commonOf(
    files.map(({ details: { visibility, squadId } }) =>
      JSON.stringify({ visibility: visibility ?? usual, squadId }),
    ),
  )
  return (
    <fieldset className={`${classes.root} ${stack(12, 'pad12', 'outlined')}`}>
      <legend className={classes.title}>
        {files.length === 1 ? 'For this video' : `For all ${files.length} videos`}
      </legend>
      <div className={classes.fields}>
        <GameSelect
          canKeep={category === null}
          value={category}
          onChange={(chosen) => chosen && change({ category: chosen })}
        />
        <VideoLevelField
          {...(level === null && { unset: KEEP_LEVEL })}
          value={level === null ? null : (JSON.parse(level) as ChosenLevel)}
          onChange={(chosen) => chosen && change(chosen)}
        />
      </div>
      <div className={row(12, 'between', 'note')}>
        <p>You can still change each one.</p>
        <Button size="sm" variant="default" onClick={uploadQueue.closeBatch}>
          Done
        </Button>
      </div>
    </fieldset>
  )
}

/** Null when they differ. */
function commonOf<Value>([first, ...others]: Value[]): Value | null {
  return first !== undefined && others.every((value) => value === first) ? first : null
}
