import { IconSettings } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Chapter } from '../core/chapters.ts'
import { SettingsMenu, type SettingsPage } from '../menu/settings-menu.tsx'
import { useOutsidePress } from '../menu/use-outside-press.ts'
import { ControlButton } from './control-button.tsx'
import classes from './settings-button.module.css'

type SettingsButtonProps = {
  chapters: readonly Chapter[]
  /** The page that is open, or null. */
  page: SettingsPage | null
  onChange: (page: SettingsPage | null) => void
}

/** The gear, and its menu above the bar. */
export function SettingsButton({ chapters, page, onChange }: SettingsButtonProps) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  return (
    <>
      <ControlButton
        ref={buttonRef}
        label="Settings"
        aria-haspopup="menu"
        aria-expanded={page !== null}
        data-opener=""
        className={classes.gear}
        onClick={() => onChange(page === null ? 'main' : null)}
      >
        <IconSettings />
      </ControlButton>
      {page !== null && (
        <SettingsPanel
          chapters={chapters}
          page={page}
          onClose={() => {
            onChange(null)
            buttonRef.current?.focus({ preventScroll: true })
          }}
          onLeave={() => onChange(null)}
        />
      )}
    </>
  )
}

type SettingsPanelProps = {
  chapters: readonly Chapter[]
  page: SettingsPage
  onClose: () => void
  onLeave: () => void
}

function SettingsPanel({ chapters, page, onClose, onLeave }: SettingsPanelProps) {
  const panelRef = useRef<HTMLDivElement>(null)
  useOutsidePress(panelRef, onLeave)
  return (
    <div ref={panelRef} className={classes.panel}>
      <SettingsMenu chapters={chapters} startsWith={page} onClose={onClose} />
    </div>
  )
}
