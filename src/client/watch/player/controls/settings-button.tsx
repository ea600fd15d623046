import { IconSettings } from '@tabler/icons-react'
import { useRef } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { Chapter } from '#shared/chapters.ts'
import { MenuPanel } from '../menu/menu-panel.tsx'
import type { SettingsPage } from '../menu/settings-menu.tsx'
import { ControlButton } from './control-button.tsx'
import classes from './settings-button.module.css'

const SettingsMenu = lazyPart(async () => ({
  default: (await import('../ahead.ts')).SettingsMenu,
}))

type SettingsButtonProps = {
  chapters: readonly Chapter[]
  page: SettingsPage | null
  onChange: (page: SettingsPage | null) => void
}

export function SettingsButton({ chapters, page, onChange }: SettingsButtonProps) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  const close = () => {
    onChange(null)
    buttonRef.current?.focus({ preventScroll: true })
  }
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
        <MenuPanel className={classes.panel} onClose={close} onLeave={() => onChange(null)}>
          <SettingsMenu chapters={chapters} startsWith={page} onClose={close} />
        </MenuPanel>
      )}
    </>
  )
}
