import { Link } from '@tanstack/react-router'
import { CardTitle, cover } from '#client/kit/card/card.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { SquadEmblem, SquadTag } from '#client/kit/squad/squad-emblem.tsx'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import { countMembers, JOINING_WORDS } from '../squad/squad-words.ts'
import classes from './found-channels.module.css'

/** Renders nothing if no squad matches. */
export function FoundSquads({ squads }: { squads: Squad[] }) {
  if (squads.length === 0) return null
  return (
    <section aria-labelledby="found-squads" className={look('below24')}>
      <h2 id="found-squads" className={look('below12', 'heading')}>
        Squads
      </h2>
      <ul className={classes.list}>
        {squads.map((squad) => (
          <li
            key={squad.id}
            className={row(12, 'shrink', 'relative', 'pad12', 'card', 'surface', 'hoverable')}
          >
            <SquadEmblem squad={squad} size={48} />
            <div className={look('shrink')}>
              <div className={row(8)}>
                <CardTitle className={classes.name}>
                  <Link to="/squad/$id" params={{ id: String(squad.id) }} className={cover}>
                    {squad.name}
                  </Link>
                </CardTitle>
                <SquadTag squad={squad} />
              </div>
              <p className={look('oneLine', 'note')}>
                {countMembers(squad.memberCount)} ·{' '}
                {squad.myRole ? 'You are in it' : JOINING_WORDS[squad.joining].name}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
