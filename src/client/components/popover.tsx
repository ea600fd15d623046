import { type MouseEvent, type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import classes from './popover.module.css'

type PopoverProps = {
  /** What a screen reader calls the button and the panel. */
  label: string
  /** A longer name for the button, when it tells more than the panel's: 'Notifications, 3 unread'. */
  buttonLabel?: string
  /** Without it the button draws itself by its class. */
  button?: ReactNode
  buttonClassName?: string | undefined
  panelClassName?: string | undefined
  /** The button is pointed at, or has the focus. */
  onPoint?: () => void
  /** Drawn only while the panel is open. */
  children: () => ReactNode
}

/** A button of the header with a panel below it; the browser closes it on Escape and on a click elsewhere. */
export function Popover(props: PopoverProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const closeAfterLink = (event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest('a')) {
      event.currentTarget.hidePopover()
    }
  }
  return (
    <>
      <button
        type="button"
        popoverTarget={isWanted ? id : undefined}
        // There in time: the browser opens the panel after this.
        onClick={() => flushSync(() => setWanted(true))}
        onPointerEnter={props.onPoint}
        onFocus={props.onPoint}
        className={props.buttonClassName}
        aria-label={props.buttonLabel ?? props.label}
        aria-expanded={isOpen}
      >
        {props.button}
      </button>
      {isWanted && (
        <div
          id={id}
          popover="auto"
          role="dialog"
          aria-label={props.label}
          className={`${classes.panel} ${props.panelClassName ?? ''}`}
          onBeforeToggle={(event) => {
            if (event.newState === 'open') setOpen(true)
          }}
          onToggle={(event) => setOpen(event.newState === 'open')}
          onClick={closeAfterLink}
          onKeyDown={() => {}}
        >
          {isOpen && props.children()}
        </div>
      )}
    </>
  )
}
