import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { showCurrent } from '../lib/show-current.ts'
import classes from './tabs.module.css'

type TabsProps<Id extends string> = {
  /** What the tabs divide, for screen readers. */
  label: string
  tabs: readonly { id: Id; label: string; isDisabled?: boolean }[]
  current: Id
  onChange: (id: Id) => void
  /** The panel of the current tab. */
  children: ReactNode
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Tabs over a panel; arrow keys, Home and End move between them. Which one is current belongs in the address. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, current, onChange, children } = props
  const id = useId()
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const enabled = [...event.currentTarget.querySelectorAll('button')].filter(
      (tab) => !tab.disabled,
    )
    const next = nextIndex(event.key, {
      index: enabled.findIndex((tab) => tab.matches(':focus')),
      count: enabled.length,
    })
    if (next === undefined) return
    event.preventDefault()
    enabled[next]?.focus()
    enabled[next]?.click()
  }
  return (
    <>
      <div
        ref={showCurrent}
        role="tablist"
        aria-label={label}
        className={classes.list}
        onKeyDown={move}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}${tab.id}`}
            className={classes.tab}
            data-label={tab.label}
            aria-selected={tab.id === current}
            aria-controls={tab.id === current ? `${id}panel` : undefined}
            tabIndex={tab.id === current ? 0 : -1}
            disabled={tab.isDisabled}
            onClick={() => {
              if (tab.id !== current) onChange(tab.id)
            }}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${current}`}>
        {children}
      </div>
    </>
  )
}

function nextIndex(key: string, at: { index: number; count: number }): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return at.count - 1
  const step = STEPS[key]
  return step && (at.index + step + at.count) % at.count
}
