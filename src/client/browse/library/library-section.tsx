import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import columns from '../video/list/columns.module.css'
import classes from './library-section.module.css'

type LibrarySectionProps = {
  id: string
  title: string
  icon: ReactNode
  /** 'See all', or creating something. */
  action?: ReactNode
  query: {
    isPending: boolean
    data: unknown
    error: unknown
    refetch: () => Promise<unknown>
  }
  skeleton: ReactNode
  /** Said instead of the children of an empty list. */
  empty: { is: boolean | undefined; title: string; text: string }
  children: ReactNode
}

/** Newest entries of a list; one line if it has none. */
export function LibrarySection(props: LibrarySectionProps) {
  const { id, title, icon, action, query, skeleton, empty, children } = props
  if (empty.is && !query.isPending) {
    return (
      <section className={classes.line} aria-labelledby={id}>
        <h2 id={id} className={`${row(8, 'smallHeading')} ${classes.title}`}>
          {icon}
          {title}
        </h2>
        <div>
          <p>{empty.title}</p>
          <p className={look('note')}>{empty.text}</p>
        </div>
        {action}
      </section>
    )
  }
  return (
    <section className={columns.frame} aria-labelledby={id}>
      <div className={`${row(16, 'wrap', 'between', 'touch', 'below4')} ${classes.head}`}>
        <h2 id={id} className={`${row(8, 'heading')} ${classes.title}`}>
          {icon}
          {title}
        </h2>
        {action}
      </div>
      <div className={columns.videos}>
        {query.isPending ? skeleton : children}
        {!query.isPending && query.data === undefined && (
          <LoadError error={query.error} onRetry={() => void query.refetch()} />
        )}
      </div>
    </section>
  )
}

/** Adds the list's name for screen readers. */
export function SeeAll({ what }: { what: string }) {
  return (
    <>
      See all<span className="visually-hidden"> of {what}</span>
      <IconChevronRight size={16} aria-hidden />
    </>
  )
}
