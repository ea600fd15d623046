import '#client/kit/styles/mantine-pages.css'
import { Drawer } from '@mantine/core'
import type { MouseEvent } from 'react'
import { useOpenDialog } from '#client/kit/dialog/dialog.tsx'
import ColorSchemeSwitch from '../header/color-scheme-switch.tsx'
import classes from './menu-drawer.module.css'
import { Sidebar } from './sidebar.tsx'

/** For pages without the full sidebar. Closes on Escape, outside presses and navigation. */
export default function MenuDrawer({ onClose }: { onClose: () => void }) {
  const closeAfterChoice = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a')) onClose()
  }
  return (
    <Drawer.Root onClose={onClose} {...useOpenDialog()}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu" aria-labelledby={undefined} onClick={closeAfterChoice}>
        <Drawer.CloseButton className={classes.close} aria-label="Close menu" iconSize={24} />
        <Sidebar />
        <ColorSchemeSwitch />
      </Drawer.Content>
    </Drawer.Root>
  )
}
