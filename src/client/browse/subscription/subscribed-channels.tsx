import { Link } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { trpc } from '#client/trpc.ts'
import classes from './subscribed-channels.module.css'

const channelLook = row(12, 'padX12', 'rounded', 'control', 'textColor', 'size13', 'hoverable')

/** Sidebar links. */
export function SubscribedChannels() {
  const { data: channels } = trpc.subscription.channels.useQuery()
  if (!channels) return <div className={look('control')} />
  if (channels.length === 0) return <p className={classes.none}>No subscriptions yet</p>
  return (
    <ul>
      {channels.map((channel) => (
        <li key={channel.id}>
          <Link
            to="/profile/$id"
            params={{ id: String(channel.id) }}
            className={`${channelLook} ${classes.channel}`}
            title={channel.displayName}
          >
            <UserAvatar name={channel.displayName} src={channel.avatarUrl} size={28} />
            <span className={`${look('oneLine')} ${classes.name}`}>{channel.displayName}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
