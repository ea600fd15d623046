import { IconX } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useId } from 'react'
import { modal } from '../lib/modal.ts'
import classes from './dialog.module.css'

type DialogProps = {
  title: string
  onClose: () => void
  isWide?: boolean
  /** A press beside it does not close it: what it shows is not shown again. */
  isSticky?: boolean
  children: ReactNode
}

/** A modal dialog of the browser's own: it holds the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, isWide, isSticky, children }: DialogProps) {
  const headingId = useId()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without our help.
    <dialog
      {...modal(onClose)}
      className={classes.dialog}
      data-wide={isWide || undefined}
      aria-labelledby={headingId}
      onClick={({ target, currentTarget }) => {
        if (!isSticky && target === currentTarget) currentTarget.close()
      }}
    >
      <div className={classes.body}>
        <div className={classes.head}>
          <h2 id={headingId} className={classes.heading}>
            {title}
          </h2>
          <button type="button" className={classes.close} aria-label="Close" onClick={closeDialog}>
            <IconX size={20} aria-hidden />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** Closes the dialog that a button is in. */
export function closeDialog({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest('dialog')?.close()
}
