import type { ReactNode } from 'react'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import { Mark } from '../mark.tsx'
import classes from './empty-state.module.css'

type EmptyStateProps = {
  drawing: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  /** 'alert' is announced at once. */
  role?: 'status' | 'alert'
  compact?: boolean
  /** A heading, if the page has no other. */
  heading?: 'h1' | 'h2' | 'p'
}

export function EmptyState({
  drawing,
  title,
  children,
  action,
  role,
  compact,
  heading: Title = 'p',
}: EmptyStateProps) {
  return (
    <div
      className={`${column(8, 'centre')} ${classes.root}`}
      data-compact={compact || undefined}
      role={role}
    >
      <div className={look('centred', 'relative', 'below16')}>
        <Mark size={compact ? 96 : 144} className={classes.mark} />
        <span className={classes.drawing}>{drawing}</span>
      </div>
      <Title className={`${classes.title} ${look('heading', 'display')}`}>{title}</Title>
      {children && <div className={classes.text}>{children}</div>}
      {action && <div className={wrapped(12, 'middle', 'above12')}>{action}</div>}
    </div>
  )
}
