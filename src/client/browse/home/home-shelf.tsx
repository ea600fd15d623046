import { type ReactNode, useId } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import classes from './home-shelf.module.css'

type HomeShelfProps = { title: ReactNode; action?: ReactNode; children: ReactNode }

export function HomeShelf({ title, action, children }: HomeShelfProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={row(16, 'between', 'touch')}>
        <h2 id={id} className={look('heading')}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
