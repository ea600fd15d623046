import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { look, row } from '../layout/layout.ts'
import classes from './entry-row.module.css'
import { TextSkeleton } from './text-skeleton.tsx'

const tagLook = look('padX8', 'pill', 'soft', 'size12', 'regular', 'tightLines')

const NAME = row([0, 8], 'wrap', 'strong', 'breakWords')

type EntryRowProps = {
  icon?: Icon
  name: string
  /** A tooltip of the name. */
  hint?: string | undefined
  /** The state of the entry, beside its name. */
  tag?: string | false
  tone?: 'wrong' | undefined
  facts: ReactNode
  action?: ReactNode
}

/** An item such as a session or link: name, facts and a button. */
export function EntryRow({ icon: Icon, name, hint, tag, tone, facts, action }: EntryRowProps) {
  return (
    <li className={classes.entry} data-iconless={!Icon || undefined}>
      {Icon && <Icon className={look('muted')} size={24} stroke={1.75} aria-hidden />}
      <div className={classes.words}>
        <p className={NAME} title={hint}>
          {name}
          {tag && (
            <span className={`${classes.tag} ${tagLook}`} data-tone={tone}>
              {tag}
            </span>
          )}
        </p>
        <p className={`${classes.facts} ${look('note')}`}>{facts}</p>
      </div>
      {action}
    </li>
  )
}

export function EntryRowsSkeleton({ count, label }: { count: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <div key={index} className={classes.entry} aria-hidden="true">
          <span />
          <div>
            <div className={NAME}>
              <TextSkeleton width="160px" />
            </div>
            <div className={look('note')}>
              <TextSkeleton width="220px" />
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
