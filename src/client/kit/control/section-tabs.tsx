import '../styles/mantine-pages.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScrollStrip } from './scroll-strip.tsx'
import classes from './section-tabs.module.css'

type SectionTabsProps<Id extends string> = {
  /** What the tabs divide, for screen readers. */
  label: string
  tabs: readonly { id: Id; label: string; isDisabled?: boolean }[]
  current: Id
  onChange: (id: Id) => void
  /** The panel of the current tab. */
  children: ReactNode
}

/** Tabs over a panel. Which one is current belongs in the address. */
export function SectionTabs<Id extends string>(props: SectionTabsProps<Id>) {
  const { label, tabs, current, onChange, children } = props
  const change = (id: string | null) => {
    const tab = tabs.find((one) => one.id === id)
    if (tab && tab.id !== current) onChange(tab.id)
  }
  return (
    <Tabs value={current} onChange={change}>
      <ScrollStrip what="tabs" className={classes.place}>
        {({ className, ...strip }) => (
          <Tabs.List {...strip} aria-label={label} className={`${classes.list} ${className}`}>
            {tabs.map((tab) => (
              <Tabs.Tab
                key={tab.id}
                value={tab.id}
                disabled={tab.isDisabled ?? false}
                // Home and End move the focus alone; the arrow keys choose too.
                onFocus={() => change(tab.id)}
                className={classes.tab}
              >
                <span className={classes.words} data-label={tab.label}>
                  {tab.label}
                </span>
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
      </ScrollStrip>
      <Tabs.Panel value={current}>{children}</Tabs.Panel>
    </Tabs>
  )
}
