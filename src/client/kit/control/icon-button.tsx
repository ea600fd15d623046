import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type IconButtonProps = ActionIconProps &
  Omit<ComponentProps<'button'>, keyof ActionIconProps | 'title'> & {
    'aria-label': string
    /** A shorter label where the context is clear, such as 'Delete'. */
    hint?: string
  }

/** The tooltip shows its name. */
export function IconButton({ hint, ...props }: IconButtonProps) {
  return <ActionIcon {...props} data-tooltip={hint ?? props['aria-label']} />
}
