import '#client/kit/styles/mantine-pages.css'
import { Drawer } from '@mantine/core'
import type { MouseEvent } from 'react'
import { useOpenDialog } from '#client/kit/dialog/dialog.tsx'
import ColorSchemeSwitch from '../header/color-scheme-switch.tsx'
import classes from './menu-drawer.module.css'
import { Sidebar } from './sidebar.tsx'

/** The whole sidebar as a drawer, where the page shows none of it or only icons. It closes on Escape, beside it and after a choice. */
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
