import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type IconButtonProps = ActionIconProps &
  Omit<ComponentProps<'button'>, keyof ActionIconProps | 'title'> & {
    'aria-label': string
    /** A shorter name to show, where the place says what it is done to: 'Delete'. */
    hint?: string
  }

/** A button without words; its tooltip says what it does. */
export function IconButton({ hint, ...props }: IconButtonProps) {
  return <ActionIcon {...props} data-tooltip={hint ?? props['aria-label']} />
}
