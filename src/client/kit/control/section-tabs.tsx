import { look } from '../layout/layout.ts'
import '../styles/mantine-pages.css'
import { Tabs } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ScrollStrip } from './scroll-strip.tsx'
import classes from './section-tabs.module.css'

type SectionTab<Id extends string> = {
  id: Id
  label: string
  isDisabled?: boolean
  hasError?: boolean
  /** Stays mounted, with its input, while another tab is shown. */
  content?: ReactNode
}

type SectionTabsProps<Id extends string> = {
  /** For screen readers. */
  label: string
  tabs: readonly SectionTab<Id>[]
  current: Id
  onChange: (id: Id) => void
  classNames?: { root?: string | undefined; panel?: string | undefined }
  /** Current panel of tabs without content. */
  children?: ReactNode
}

/** The current tab of a page belongs in the address. */
export function SectionTabs<Id extends string>(props: SectionTabsProps<Id>) {
  const { label, tabs, current, onChange, classNames = {}, children } = props
  const change = (id: string | null) => {
    const tab = tabs.find((one) => one.id === id)
    if (tab && tab.id !== current) onChange(tab.id)
  }
  return (
    <Tabs value={current} onChange={change} className={classNames.root}>
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
                {tab.hasError && (
                  <>
                    <IconAlertCircle className={classes.error} size={16} aria-hidden />
                    <span className="visually-hidden">(has an error)</span>
                  </>
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
      </ScrollStrip>
      {children ? (
        <Tabs.Panel value={current} className={classNames.panel}>
          {children}
        </Tabs.Panel>
      ) : (
        tabs.map(({ id, content }) => (
          <Tabs.Panel key={id} value={id} keepMounted className={classNames.panel}>
            {content}
          </Tabs.Panel>
        ))
      )}
    </Tabs>
  )
}
