import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { row, stack } from '#client/kit/layout/layout.ts'
import { GameSelect } from '#client/kit/video/game-select.tsx'
import { KEEP_LEVEL, VisibilityField } from '#client/kit/visibility/visibility-field.tsx'
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
  const visibility = commonOf(files.map(({ details }) => details.visibility ?? usual))
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
        <VisibilityField
          {...(visibility === null && { unset: KEEP_LEVEL })}
          value={visibility}
          onChange={(chosen) => chosen && change({ visibility: chosen })}
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
