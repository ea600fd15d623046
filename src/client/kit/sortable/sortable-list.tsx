import { UnstyledButton } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { look, stack } from '#client/kit/layout/layout.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { dragToOrder } from './drag-to-order.ts'
import classes from './sortable-list.module.css'

const handleLook = look('centred', 'rounded', 'square', 'muted', 'hoverText')

type Item = { id: number; title: string }

type SortableListProps<Entry extends Item> = {
  items: Entry[]
  renderItem: (item: Entry, handle: ReactNode) => ReactNode
  /** `toIndex` from 0; optimistic. */
  onMove: (id: number, toIndex: number) => void
}

/** By dragging, or by keyboard: Space picks up and drops, arrow keys move, Escape cancels. */
export function SortableList<Entry extends Item>(props: SortableListProps<Entry>) {
  const { items, renderItem, onMove } = props
  const hintId = useId()
  const hasKeys = useHasKeys()
  const list = useRef<HTMLOListElement>(null)
  const [moved, setMoved] = useState<{ of: Entry[]; items: Entry[] }>()
  const [held, setHeld] = useState<{ id: number; index: number }>()
  const [message, setMessage] = useState('')
  // Local order, until the list changes.
  const shown = moved?.of === items ? moved.items : items

  const show = (order: Entry[]) => flushSync(() => setMoved({ of: items, items: order }))
  const place = (id: number, toIndex: number) => {
    const order = shown.filter((item) => item.id !== id)
    const item = shown.find((entry) => entry.id === id)
    if (!item) return
    order.splice(toIndex, 0, item)
    show(order)
    list.current?.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus()
  }
  const drop = (id: number, toIndex: number) => {
    place(id, toIndex)
    onMove(id, toIndex)
  }
  const say = (item: Item, what: string, index: number) =>
    setMessage(`${item.title}, ${what}, position ${index + 1} of ${shown.length}.`)

  const press = (event: KeyboardEvent, item: Entry) => {
    const index = shown.indexOf(item)
    const isHeld = held?.id === item.id
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      setHeld(isHeld ? undefined : { id: item.id, index })
      say(item, isHeld ? 'put down' : 'taken up', index)
      if (isHeld && held.index !== index) onMove(item.id, index)
    } else if (isHeld && step) {
      event.preventDefault()
      const next = Math.min(Math.max(0, index + step), shown.length - 1)
      place(item.id, next)
      say(item, 'moved', next)
    } else if (isHeld && event.key === 'Escape') {
      place(item.id, held.index)
      setHeld(undefined)
      say(item, 'put back', held.index)
    }
  }
  const release = (item: Entry) => {
    if (held?.id !== item.id || list.current?.contains(document.activeElement)) return
    setHeld(undefined)
    const index = shown.indexOf(item)
    if (index !== held.index) onMove(item.id, index)
  }

  return (
    <>
      {hasKeys && (
        <p id={hintId} className="visually-hidden">
          Press Space to pick it up, the arrow keys to move it, Space to drop it, Escape to cancel.
        </p>
      )}
      <p className="visually-hidden" role="status" aria-live="assertive">
        {message}
      </p>
      <ol ref={list} className={`${stack(8, 'relative')} ${classes.list}`}>
        {shown.map((item) => (
          <li
            key={item.id}
            ref={passFocusOnRemoval}
            className={`${classes.item} ${look('card')}`}
            data-held={held?.id === item.id || undefined}
          >
            {renderItem(
              item,
              <UnstyledButton
                className={`${classes.handle} ${handleLook}`}
                data-handle={item.id}
                aria-label={`Move ${item.title}`}
                aria-describedby={hasKeys ? hintId : undefined}
                aria-pressed={held?.id === item.id}
                title="Drag to reorder"
                onPointerDown={(event) => dragToOrder(event, (_, to) => drop(item.id, to))}
                onKeyDown={(event) => press(event, item)}
                onBlur={() => setTimeout(() => release(item))}
              >
                <IconGripVertical size={20} stroke={1.75} aria-hidden />
              </UnstyledButton>,
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
