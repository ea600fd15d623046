import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'

/** Read by the page itself, before the first paint. */
const KEY = 'clutch-sidebar'
const root = document.documentElement

/** Makes the sidebar a rail of icons, or whole again; the device remembers it. */
export function SidebarButton({ className }: { className: string }) {
  const [isRail, setRail] = useState(() => root.dataset.sidebar === 'rail')
  const toggle = () => {
    const state = isRail ? 'full' : 'rail'
    root.dataset.sidebar = state
    setRail(!isRail)
    try {
      localStorage.setItem(KEY, state)
    } catch {
      // Without storage it lasts as long as the page.
    }
  }
  const Icon = isRail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const label = isRail ? 'Expand the sidebar' : 'Collapse the sidebar'
  return (
    <IconButton className={className} aria-label={label} onClick={toggle}>
      <Icon aria-hidden />
    </IconButton>
  )
}
