import { look } from '../layout/layout.ts'
import '../styles/mantine-pages.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScrollStrip } from './scroll-strip.tsx'
import classes from './section-tabs.module.css'

type SectionTabsProps<Id extends string> = {
  /** For screen readers. */
  label: string
  tabs: readonly { id: Id; label: string; isDisabled?: boolean }[]
  current: Id
  onChange: (id: Id) => void
  /** Current panel. */
  children: ReactNode
}

/** The current tab belongs in the address. */
export function SectionTabs<Id extends string>(props: SectionTabsProps<Id>) {
  const { label, tabs, current, onChange, children } = props
  const change = (id: string | null) => {
    const tab = tabs.find((one) => one.id === id)
    if (tab && tab.id !== current) onChange(tab.id)
  }
  return (
    <Tabs value={current} onChange={change}>
      <ScrollStrip what="tabs" className={`${classes.place} ${look('below24')}`}>
        {({ className, ...strip }) => (
          <Tabs.List {...strip} aria-label={label} className={`${classes.list} ${className}`}>
            {tabs.map((tab) => (
              <Tabs.Tab
                key={tab.id}
                value={tab.id}
                disabled={tab.isDisabled ?? false}
                // Home and End only move the focus; arrow keys also choose.
                onFocus={() => change(tab.id)}
                className={`${classes.tab} ${look('noShrink')}`}
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
