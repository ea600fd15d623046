import type { ComponentProps, ReactNode } from 'react'
import { CardTitle } from '#client/kit/card/card.tsx'
import { look } from '#client/kit/layout/layout.ts'
import classes from './video-row.module.css'

type MediaRowProps = Omit<ComponentProps<'article'>, 'title'> & {
  picture: ReactNode
  heading: 'h2' | 'h3'
  /** A link that covers the row. */
  title: ReactNode
  by: string
  numbers: ReactNode
  actions?: ReactNode
  /** Enlarges the picture. */
  isLarge?: boolean | undefined
}

/** A picture with its words beside it. Children follow the facts. */
export function MediaRow(props: MediaRowProps) {
  const { picture, heading, title, by, numbers, actions, isLarge, children, ...article } = props
  return (
    <article className={classes.row} data-large={isLarge || undefined} {...article}>
      {picture}
      <div className={`${classes.words} ${look('shrink')}`}>
        <CardTitle as={heading} lines={2} className={`${classes.title} ${look('below4')}`}>
          {title}
        </CardTitle>
        <p className={classes.facts}>
          <span className={look('oneLine')}>{by}</span>
          <span className={`${classes.numbers} ${look('noShrink')}`}>{numbers}</span>
        </p>
        {children}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </article>
  )
}
