import type { ReactNode } from 'react'
import { Panel } from '#client/kit/panel/panel.tsx'
import classes from './settings-section.module.css'

type SettingsSectionProps = {
  /** The anchor that the list of sections leads to. */
  id: string
  title: string
  text?: string
  tone?: 'danger'
  children: ReactNode
}

/** One subject of the settings. */
export function SettingsSection({ id, title, text, tone, children }: SettingsSectionProps) {
  return (
    <Panel id={id} title={title} about={text} className={classes.section} tone={tone}>
      {children}
    </Panel>
  )
}
