import { SquadEmblem } from '#client/kit/squad/squad-emblem.tsx'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import classes from './news-emblem.module.css'

type NewsEmblemProps = { squad: Pick<Squad, 'colour' | 'emblem' | 'hasNews'> }

/** The emblem of one of the viewer's squads, with a dot while it has new entries. */
export function NewsEmblem({ squad }: NewsEmblemProps) {
  return (
    <span className={classes.emblem} data-new={squad.hasNews || undefined}>
      <SquadEmblem squad={squad} size={28} />
      {squad.hasNews && <span className="visually-hidden">New in </span>}
    </span>
  )
}
