import { IconCheck, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import classes from './menu.module.css'

type MenuProps = {
  label: string
  /** Target of ArrowLeft and Escape. */
  onBack?: (() => void) | undefined
  onClose: () => void
  children: ReactNode
}

/** Arrow keys move, ArrowLeft goes back, Escape closes. */
export function Menu({ label, onBack, onClose, children }: MenuProps) {
  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    const items = itemsOf(event.currentTarget)
    const here = items.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) items.at(next % items.length)?.focus()
    else if (event.key === 'Escape') (onBack ?? onClose)()
    else if (event.key === 'ArrowLeft') onBack?.()
    else if (event.key === 'ArrowRight') openSubmenu()
    else if (event.key === 'Tab') return onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className={classes.menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      data-back={onBack ? '' : undefined}
      ref={focusFirst}
      onKeyDown={pressKey}
    >
      {onBack && (
        <button type="button" role="menuitem" className={classes.back} onClick={onBack}>
          <IconChevronLeft size={20} aria-hidden />
          {label}
        </button>
      )}
      {children}
    </div>
  )
}

type MenuItemProps = {
  icon?: ReactNode
  label: ReactNode
  /** Current choice, at the end of the row. */
  value?: ReactNode
  /** Opens a submenu. */
  opens?: boolean
  onPress: () => void
}

export function MenuItem({ icon, label, value, opens = false, onPress }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      className={classes.item}
      aria-haspopup={opens ? 'menu' : undefined}
      onClick={onPress}
    >
      {icon}
      <span className={look('grow', 'oneLine')}>{label}</span>
      {value !== undefined && <span className={classes.value}>{value}</span>}
      {opens && <IconChevronRight size={18} className={classes.chevron} aria-hidden />}
    </button>
  )
}

type MenuChoiceProps = {
  label: ReactNode
  value?: ReactNode
  isChosen: boolean
  onPress: () => void
}

/** Radio item. */
export function MenuChoice({ label, value, isChosen, onPress }: MenuChoiceProps) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      className={classes.item}
      onClick={onPress}
    >
      <IconCheck size={18} className={classes.check} aria-hidden />
      <span className={look('grow', 'oneLine')}>{label}</span>
      {value !== undefined && <span className={classes.value}>{value}</span>}
    </button>
  )
}

type MenuSwitchProps = { icon?: ReactNode; label: string; isOn: boolean; onPress: () => void }

export function MenuSwitch({ icon, label, isOn, onPress }: MenuSwitchProps) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={isOn}
      className={classes.item}
      onClick={onPress}
    >
      {icon}
      <span className={look('grow', 'oneLine')}>{label}</span>
      <span className={classes.switch} aria-hidden="true" />
    </button>
  )
}

const itemsOf = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]

function focusFirst(menu: HTMLElement | null): void {
  if (!menu) return
  const items = itemsOf(menu)
  const first = items.find((item) => item.ariaChecked === 'true' && item.role === 'menuitemradio')
  ;(first ?? items[0])?.focus({ preventScroll: true })
  first?.scrollIntoView({ block: 'nearest' })
}

function openSubmenu(): void {
  const focused = document.activeElement
  if (focused instanceof HTMLElement && focused.ariaHasPopup === 'menu') focused.click()
}
