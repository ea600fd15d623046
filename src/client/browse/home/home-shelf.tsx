import { type ReactNode, useId } from 'react'
import { row, textStyles } from '#client/kit/layout/layout.ts'
import classes from './home-shelf.module.css'

type HomeShelfProps = { title: string; action?: ReactNode; children: ReactNode }

export function HomeShelf({ title, action, children }: HomeShelfProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={`${row(16, 'between')} ${classes.head}`}>
        <h2 id={id} className={textStyles.heading}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
