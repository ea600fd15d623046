import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import { NewsEmblem } from './news-emblem.tsx'
import classes from './squad-strip.module.css'

const chipLook = row(8, 'pill', 'outlined', 'textColor', 'noUnderline', 'noShrink', 'touch')

/** The viewer's squads in one line, or a link to the page of squads. */
export function SquadStrip() {
  const mine = trpc.squad.mine.useQuery()
  const joined = mine.data?.joined ?? []
  return (
    <nav className={`${classes.strip} ${row(8)}`} aria-label="Your squads">
      {mine.isPending && <Skeleton width={140} height="var(--touch)" radius="xl" />}
      {joined.map((squad) => (
        <Link
          key={squad.id}
          to="/squad/$id"
          params={{ id: String(squad.id) }}
          className={`${classes.chip} ${chipLook}`}
        >
          <NewsEmblem squad={squad} />
          <span className={`${look('oneLine')} ${classes.name}`}>{squad.name}</span>
        </Link>
      ))}
      {!mine.isPending && (
        <Link to="/squads" className={`${classes.chip} ${chipLook} ${classes.all}`}>
          {joined.length > 0 ? 'All squads' : 'Join or create a squad'}
        </Link>
      )}
    </nav>
  )
}
