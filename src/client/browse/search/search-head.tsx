import type { ReactNode } from 'react'
import { row } from '#client/kit/layout/layout.ts'
import classes from './search-head.module.css'

/** The server's total stops here. */
const COUNT_MAX = 1000

type SearchHeadProps = {
  query: string
  category: string | undefined
  /** Undefined until known. */
  total: number | undefined
  children: ReactNode
}

export function SearchHead({ query, category, total, children }: SearchHeadProps) {
  return (
    <div className={classes.head}>
      <h1 className={classes.heading}>
        Search results for "{query}"{category && ` in ${category}`}
      </h1>
      <p className={classes.count} role="status">
        {total !== undefined && countText(total)}
      </p>
      <div className={`${row(16)} ${classes.tools}`}>{children}</div>
    </div>
  )
}

function countText(total: number): string {
  if (total === 1) return '1 result found'
  return `${total}${total >= COUNT_MAX ? '+' : ''} results found`
}
