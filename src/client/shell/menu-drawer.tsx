import { IconX } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { modal } from '../lib/modal.ts'
import ColorSchemeSwitch from './color-scheme-switch.tsx'
import classes from './menu-drawer.module.css'
import { Sidebar } from './sidebar.tsx'

/** The whole sidebar as a drawer, where the page shows none of it or only icons. It closes on Escape, beside it and after a choice. */
export default function MenuDrawer({ onClose }: { onClose: () => void }) {
  const closeAfterChoice = (event: MouseEvent<HTMLDialogElement>) => {
    const { target, currentTarget } = event
    const isBeside = target === currentTarget
    if (isBeside || (target instanceof Element && target.closest('a'))) currentTarget.close()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without our help.
    <dialog
      {...modal(onClose)}
      className={classes.drawer}
      aria-label="Menu"
      onClick={closeAfterChoice}
    >
      <div className={classes.body}>
        <button
          type="button"
          className={classes.close}
          aria-label="Close menu"
          onClick={(event) => event.currentTarget.closest('dialog')?.close()}
        >
          <IconX aria-hidden />
        </button>
        <Sidebar />
        <ColorSchemeSwitch />
      </div>
    </dialog>
  )
}
