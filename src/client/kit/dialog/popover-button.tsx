import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '../list/lazy-part.tsx'
import type { PopoverButtonProps } from './opened-popover.tsx'

const OpenedPopover = lazyPart(() => import('./opened-popover.tsx'))

/** The panel is loaded on demand. */
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
