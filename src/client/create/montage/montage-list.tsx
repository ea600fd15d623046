import { IconX } from '@tabler/icons-react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { SortableList } from '#client/kit/sortable/sortable-list.tsx'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { formatDuration } from '#shared/text/format.ts'
import classes from './montage.module.css'
import type { MontageChoice } from './montage-choice.ts'

/** Own ids, because a clip may be repeated. */
export type MontageEntry = MontageChoice & { id: number }

type MontageListProps = {
  entries: MontageEntry[]
  onChange: (entries: MontageEntry[]) => void
}

export function MontageList({ entries, onChange }: MontageListProps) {
  const move = (id: number, toIndex: number) => {
    const order = entries.filter((entry) => entry.id !== id)
    const moved = entries.find((entry) => entry.id === id)
    if (moved) onChange(order.toSpliced(toIndex, 0, moved))
  }
  return (
    <div className={classes.list} data-scroller="">
      <SortableList
        items={entries}
        onMove={move}
        renderItem={(entry, handle) => (
          <div className={classes.row}>
            {handle}
            <span className={classes.picture}>
              {entry.pictureUrl && (
                <FittedImage src={entry.pictureUrl} loading="lazy" decoding="async" />
              )}
              <span className={classes.duration}>{formatDuration(entry.seconds)}</span>
            </span>
            <span className={classes.words}>
              <span className={classes.name}>{entry.title}</span>
              <span className={classes.facts}>{entry.facts}</span>
            </span>
            <IconButton
              aria-label={`Leave ${entry.title} out`}
              hint="Leave out"
              onClick={() => onChange(entries.filter((other) => other !== entry))}
            >
              <IconX size={18} stroke={1.75} aria-hidden />
            </IconButton>
          </div>
        )}
      />
    </div>
  )
}
