import '../styles/mantine-pages.css'
import { Popover, UnstyledButton } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { useOpenAtOnce } from '../control/use-open-at-once.ts'
import classes from './opened-popover.module.css'

export type PopoverButtonProps = {
  /** Accessible name of button and panel. */
  label: string
  /** Overrides the button's name: 'Notifications, 3 unread'. */
  buttonLabel?: string
  button: ReactNode
  buttonClassName?: string | undefined
  panelClassName?: string | undefined
  /** On hover or focus. */
  onPoint?: () => void
  /** Mounted while open. */
  children: ReactNode
}

type OpenedPopoverProps = PopoverButtonProps & { onClose: () => void }

/** After the first press; following a link closes it. */
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
