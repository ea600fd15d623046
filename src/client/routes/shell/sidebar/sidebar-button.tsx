import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { deviceStorage } from '#client/platform/browser-storage.ts'

/** `index.html` reads it before the first paint. */
const KEY = 'clutch-sidebar'
const root = document.documentElement

/** Collapses to icons; stored on this device. */
export function SidebarButton({ className }: { className: string }) {
  const [isRail, setRail] = useState(() => root.dataset.sidebar === 'rail')
  const toggle = () => {
    const state = isRail ? 'full' : 'rail'
    root.dataset.sidebar = state
    setRail(!isRail)
    deviceStorage.write(KEY, state)
  }
  const Icon = isRail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const label = isRail ? 'Expand the sidebar' : 'Collapse the sidebar'
  return (
    <IconButton className={className} aria-label={label} onClick={toggle}>
      <Icon aria-hidden />
    </IconButton>
  )
}
