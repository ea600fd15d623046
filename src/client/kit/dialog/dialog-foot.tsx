import type { ReactNode } from 'react'
import { row } from '../layout/layout.ts'
import classes from './dialog-foot.module.css'

/** The row of buttons that ends a form in a dialog. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={`${row([12, 16], 'wrap', 'end')} ${classes.foot}`}>{children}</div>
}
