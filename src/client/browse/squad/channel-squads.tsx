import { Link } from '@tanstack/react-router'
import { row } from '#client/kit/layout/layout.ts'
import { SquadTag } from '#client/kit/squad/squad-emblem.tsx'
import { trpc } from '#client/trpc.ts'
import classes from './channel-squads.module.css'

/** Shows the squads of a channel on the line of its facts. */
export default function ChannelSquads({ channelId }: { channelId: number }) {
  const squads = trpc.squad.ofMember.useQuery({ id: channelId })
  if (!squads.data || squads.data.length === 0) return null
  return (
    <span className={`${row(4, 'inline')} ${classes.squads}`}>
      {squads.data.map((squad) => (
        <Link
          key={squad.id}
          to="/squad/$id"
          params={{ id: String(squad.id) }}
          className={classes.link}
          title={squad.name}
        >
          <SquadTag squad={squad} />
          <span className="visually-hidden"> {squad.name}</span>
        </Link>
      ))}
    </span>
  )
}
