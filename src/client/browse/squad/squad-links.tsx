import { Link } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import classes from '../subscription/subscribed-channels.module.css'
import { NewsEmblem } from './news-emblem.tsx'
import own from './squad-links.module.css'

const linkLook = row(12, 'padX12', 'rounded', 'control', 'textColor', 'size13', 'hoverable')

/** The viewer's squads in the sidebar, or a link to the page of squads. */
export default function SquadLinks() {
  const { joined } = trpc.squad.mine.useQuery().data ?? {}
  if (!joined) return null
  return (
    <section className={look('nextSection')} aria-labelledby="sidebar-squads">
      <h2 id="sidebar-squads" className={own.heading}>
        SQUADS
      </h2>
      {joined.length === 0 && (
        <Link to="/squads" className={`${classes.none} ${own.quiet}`}>
          Join or create a squad
        </Link>
      )}
      <ul>
        {joined.map((squad) => (
          <li key={squad.id}>
            <Link
              to="/squad/$id"
              params={{ id: String(squad.id) }}
              className={`${linkLook} ${classes.channel}`}
              title={squad.name}
            >
              <NewsEmblem squad={squad} />
              <span className={`${look('oneLine')} ${classes.name}`}>{squad.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
