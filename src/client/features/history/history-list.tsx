import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { HistoryItem } from '#shared/library.schemas.ts'
import { handFocusOn } from '../../lib/hand-focus-on.ts'
import { useMinute } from '../../lib/use-minute.ts'
import { groupByDay } from './history-days.ts'
import classes from './history-list.module.css'
import { useHistoryRemoval } from './use-history-removal.ts'

type HistoryListProps = {
  items: HistoryItem[]
  filter: { q?: string | undefined }
  /** Draws an item with its buttons. */
  renderItem: (item: HistoryItem, buttons: ReactNode) => ReactNode
}

/** What was watched, day by day. */
export function HistoryList({ items, filter, renderItem }: HistoryListProps) {
  useMinute()
  const remove = useHistoryRemoval(filter)
  return (
    <div className={classes.days}>
      {groupByDay(items).map(({ name, items: ofDay }) => (
        <section key={name} aria-labelledby={`history-${name}`}>
          <h2
            id={`history-${name}`}
            className={classes.day}
            data-today={name === 'Today' || undefined}
          >
            {name}
          </h2>
          <ul className={classes.list}>
            {ofDay.map((item) => (
              <li key={item.video.id} ref={handFocusOn}>
                {renderItem(
                  item,
                  <button
                    type="button"
                    className={classes.remove}
                    aria-label="Remove from history"
                    title="Remove from history"
                    onClick={() => remove(item.video.id)}
                  >
                    <IconX size={20} stroke={1.75} aria-hidden />
                  </button>,
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Rows under the name of a day, before anything is known of them. */
export function HistorySkeleton({ row }: { row: ReactNode }) {
  return (
    <div className={classes.days} role="status" aria-label="Loading watch history">
      <div>
        <div className={classes.day} aria-hidden="true">
          &nbsp;
        </div>
        <div className={classes.list}>
          {[0, 1, 2, 3, 4].map((index) => (
            <div key={index}>{row}</div>
          ))}
        </div>
      </div>
    </div>
  )
}
