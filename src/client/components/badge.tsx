import type { ReactNode } from 'react'
import classes from './badge.module.css'

type BadgeProps = {
  /** 'waiting' for what goes on by itself, 'wrong' for what needs somebody. */
  tone?: 'waiting' | 'wrong'
  children: ReactNode
}

/** A word on a picture. */
export function Badge({ tone, children }: BadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
