import type { ComponentProps, ReactNode } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { takesKey } from '../core/player-keys.ts'
import { usePlayer } from '../player-context.ts'
import classes from './control-button.module.css'

const buttonLook = look('centred', 'noShrink', 'relative', 'rounded', 'square')

type ControlButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  /** Shown in the tooltip on devices with keys. */
  shortcut?: string
  /** Keeps the tooltip inside the player. */
  tipAlign?: 'start' | 'center' | 'end'
  children: ReactNode
}

export function ControlButton(props: ControlButtonProps) {
  const { label, shortcut, tipAlign = 'center', children, className = '', ...rest } = props
  const { options } = usePlayer()
  const hasKeys = useHasKeys()
  const tip = shortcut && hasKeys && takesKey(options, shortcut) ? `${label} (${shortcut})` : label
  return (
    <button
      type="button"
      aria-label={tip}
      data-tip={tip}
      data-tip-align={tipAlign}
      className={`${classes.button} ${buttonLook} ${className}`}
      {...rest}
    >
      {children}
    </button>
  )
}
