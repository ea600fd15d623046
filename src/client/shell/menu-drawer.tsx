import { IconX } from '@tabler/icons-react'
import type { MouseEvent, RefObject } from 'react'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import classes from './menu-drawer.module.css'
import { Sidebar } from './sidebar.tsx'

/** The sidebar as a drawer, for small screens. It closes on Escape, beside it and after a choice. */
export function MenuDrawer({ ref }: { ref: RefObject<HTMLDialogElement | null> }) {
  const closeAfterChoice = (event: MouseEvent<HTMLDialogElement>) => {
    const { target, currentTarget } = event
    const isBeside = target === currentTarget
    if (isBeside || (target instanceof Element && target.closest('a'))) currentTarget.close()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without our help.
    <dialog ref={ref} className={classes.drawer} aria-label="Menu" onClick={closeAfterChoice}>
      <div className={classes.body}>
        <button
          type="button"
          className={classes.close}
          aria-label="Close menu"
          onClick={() => ref.current?.close()}
        >
          <IconX aria-hidden />
        </button>
        <Sidebar />
        <ColorSchemeSwitch />
      </div>
    </dialog>
  )
}
