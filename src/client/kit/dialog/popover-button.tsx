import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '../list/lazy-part.tsx'

const OpenedPopover = lazyPart(() => import('./opened-popover.tsx'))

export type PopoverButtonProps = {
  /** What a screen reader calls the button and the panel. */
  label: string
  /** A longer name for the button, when it says more than the panel's: 'Notifications, 3 unread'. */
  buttonLabel?: string
  button: ReactNode
  buttonClassName?: string | undefined
  panelClassName?: string | undefined
  /** The button is pointed at, or has the focus. */
  onPoint?: () => void
  /** Drawn only while the panel is open. */
  children: ReactNode
}

/** A button of the header with a panel below it, which is fetched when it is wanted. */
export function PopoverButton(props: PopoverButtonProps) {
  const [isWanted, setWanted] = useState(false)
  const preload = () => {
    OpenedPopover.preload()
    props.onPoint?.()
  }
  const button = (
    <UnstyledButton
      className={props.buttonClassName}
      aria-label={props.buttonLabel ?? props.label}
      data-tooltip={props.label}
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    >
      {props.button}
    </UnstyledButton>
  )
  if (!isWanted) return button
  return <OpenedPopover {...props} standIn={button} onClose={() => setWanted(false)} />
}
