import type { ReactNode } from 'react'
import { Panel } from '#client/kit/panel/panel.tsx'
import classes from './settings-section.module.css'

type SettingsSectionProps = {
  /** Fragment of the address. */
  id: string
  title: string
  text?: string
  tone?: 'danger'
  children: ReactNode
}

export function SettingsSection({ id, title, text, tone, children }: SettingsSectionProps) {
  return (
    <Panel id={id} title={title} about={text} className={classes.section} tone={tone}>
      {children}
    </Panel>
  )
}
