import { type ReactNode, useId } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import classes from './dialog-parts.module.css'

type Part = { title: string; content: ReactNode }

/** Shows the parts below each other, with a button for each of them at the top. */
export function DialogParts({ parts }: { parts: Part[] }) {
  const id = useId()
  const idOf = (index: number) => `${id}${index}`
  return (
    <>
      <nav className={`${classes.nav} ${row(8)}`} aria-label="Parts of this dialog">
        {parts.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            className={classes.link}
            onClick={() => document.getElementById(idOf(index))?.focus()}
          >
            {title}
          </button>
        ))}
      </nav>
      {parts.map(({ title, content }, index) => (
        <section key={title} className={classes.part} aria-labelledby={idOf(index)}>
          <h3 id={idOf(index)} tabIndex={-1} className={`${classes.title} ${look('heading')}`}>
            {title}
          </h3>
          <div className={column(16)}>{content}</div>
        </section>
      ))}
    </>
  )
}
