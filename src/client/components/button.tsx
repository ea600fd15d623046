import type { ComponentProps, ReactNode } from 'react'
import classes from './button.module.css'

type Look = {
  /** 'primary' is the one thing to do on a page. */
  variant?: 'primary' | 'default' | 'quiet'
  size?: 'small' | 'medium'
  icon?: ReactNode
}

/**
 * The button of the shell and of pages that do without Mantine; inside `MantineLayout` Mantine's own
 * looks the same.
 */
export function Button({
  variant,
  size,
  icon,
  children,
  ...props
}: Look & ComponentProps<'button'>) {
  return (
    <button type="button" {...props} className={buttonClass({ variant, size }, props.className)}>
      {icon}
      {children}
    </button>
  )
}

/** The same look for a link. */
export function buttonClass(
  { variant = 'primary', size = 'medium' }: Look = {},
  more = '',
): string {
  return `${classes.button} ${classes[variant]} ${classes[size]} ${more}`
}
