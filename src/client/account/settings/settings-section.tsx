import type { ReactNode } from 'react'
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
    <section id={id} className={classes.section} data-tone={tone} aria-labelledby={`${id}-title`}>
      <div className={classes.head}>
        <h2 id={`${id}-title`} className={classes.title}>
          {title}
        </h2>
        {text && <p className={classes.text}>{text}</p>}
      </div>
      {children}
    </section>
  )
}
