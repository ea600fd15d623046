import { type ReactNode, useId } from 'react'
import { look, row } from '../layout/layout.ts'
import classes from './panel.module.css'

/** For an element that is no section. */
export const panel = classes.panel

type PanelProps = {
  /** Fragment of the address. */
  id?: string
  title: ReactNode
  heading?: 'h2' | 'h3'
  /** Below the title. */
  about?: ReactNode
  /** Opposite the title. */
  action?: ReactNode
  tone?: 'danger' | undefined
  className?: string | undefined
  children?: ReactNode
}

export function Panel(props: PanelProps) {
  const { id, title, heading: Heading = 'h2', about, action, tone, className = '' } = props
  const titleId = useId()
  const words = (
    <div>
      <Heading id={titleId} className={look('heading', 'breakWords')}>
        {title}
      </Heading>
      {about && <p className={classes.about}>{about}</p>}
    </div>
  )
  return (
    <section id={id} className={`${panel} ${className}`} data-tone={tone} aria-labelledby={titleId}>
      {action ? (
        <div className={row([8, 16], 'wrap', 'between')}>
          {words}
          {action}
        </div>
      ) : (
        words
      )}
      {props.children}
    </section>
  )
}
