import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { row, stack } from '#client/kit/layout/layout.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { useMinute } from '#client/platform/use-minute.ts'
import type { HistoryItem } from '#shared/schemas/library.schemas.ts'
import { groupByDay } from './history-days.ts'
import classes from './history-list.module.css'
import { useHistoryRemoval } from './use-history-removal.ts'

type HistoryListProps = {
  items: HistoryItem[]
  renderItem: (item: HistoryItem, buttons: ReactNode) => ReactNode
}

export function HistoryList({ items, renderItem }: HistoryListProps) {
  useMinute()
  const { removedIds, remove, restore } = useHistoryRemoval()
  // Undo restores the focus.
  const [returnedId, setReturnedId] = useState<number>()
  const bringBack = (item: HistoryItem) => {
    setReturnedId(item.video.id)
    restore(item)
  }
  return (
    <div className={stack(32)}>
      {groupByDay(items).map(({ name, items: ofDay }) => (
        <section key={name} aria-labelledby={`history-${name}`}>
          <h2
            id={`history-${name}`}
            className={`${row(8, 'below16', 'heading')} ${classes.day}`}
            data-today={name === 'Today' || undefined}
          >
            {name}
          </h2>
          <ul className={stack(16)}>
            {ofDay.map((item) => (
              <li key={item.video.id} ref={passFocusOnRemoval}>
                {removedIds.has(item.video.id) ? (
                  <RemovedItem title={item.video.title} onUndo={() => bringBack(item)} />
                ) : (
                  renderItem(
                    item,
                    <IconButton
                      radius="xl"
                      aria-label="Remove from history"
                      ref={item.video.id === returnedId ? takeFocus : undefined}
                      onClick={() => remove(item)}
                    >
                      <IconX size={20} stroke={1.75} aria-hidden />
                    </IconButton>,
                  )
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Placeholder of a removed item. */
function RemovedItem({ title, onUndo }: { title: string; onUndo: () => void }) {
  return (
    <div className={`${row(12, 'between')} ${classes.removed}`}>
      <p role="status">
        Removed from your history
        <span className="visually-hidden">: {title}</span>
      </p>
      <Button variant="default" size="sm" ref={takeFocus} onClick={onUndo}>
        Undo
      </Button>
    </div>
  )
}

function takeFocus(button: HTMLElement | null): void {
  button?.focus({ preventScroll: true })
}

export function HistorySkeleton({ row: entry }: { row: ReactNode }) {
  return (
    <div className={stack(32)} role="status" aria-label="Loading watch history">
      <div>
        <div className={`${row(8, 'below16', 'heading')} ${classes.day}`} aria-hidden="true">
          &nbsp;
        </div>
        <div className={stack(16)}>
          {[0, 1, 2, 3, 4].map((index) => (
            <div key={index}>{entry}</div>
          ))}
        </div>
      </div>
    </div>
  )
}
