import '../styles/mantine-pages.css'
import { Popover, UnstyledButton } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { useOpenAtOnce } from '../control/use-open-at-once.ts'
import classes from './opened-popover.module.css'

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

type OpenedPopoverProps = PopoverButtonProps & { onClose: () => void }

/** The button of a `PopoverButton` once it was pressed, and its panel; following a link in it closes it. */
export default function OpenedPopover(props: OpenedPopoverProps) {
  const { target, opened, setOpened } = useOpenAtOnce()
  const closeAfterLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) setOpened(false)
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      offset={10}
      radius="lg"
      shadow="md"
      floatingStrategy="fixed"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          ref={target}
          className={props.buttonClassName}
          aria-label={props.buttonLabel ?? props.label}
          data-tooltip={props.label}
          onClick={() => setOpened((isOpen) => !isOpen)}
        >
          {props.button}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown
        className={`${classes.panel} ${props.panelClassName ?? ''}`}
        aria-label={props.label}
        aria-labelledby={undefined}
        onClick={closeAfterLink}
      >
        {props.children}
      </Popover.Dropdown>
    </Popover>
  )
}
