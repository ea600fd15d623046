import { Link } from '@tanstack/react-router'
import { CardTitle, cover } from '#client/kit/card/card.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { User } from '#shared/schemas/user.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import classes from './found-channels.module.css'

const AVATAR_SIZE = 48

/** Renders nothing if no channel matches. */
export function FoundChannels({ channels }: { channels: User[] }) {
  if (channels.length === 0) return null
  return (
    <section aria-labelledby="found-channels" className={look('below24')}>
      <h2 id="found-channels" className={look('below12', 'heading')}>
        Channels
      </h2>
      <ul className={classes.list}>
        {channels.map(({ id, username, displayName, avatarUrl, subscriberCount }) => (
          <li
            key={id}
            className={row(12, 'shrink', 'relative', 'pad12', 'card', 'surface', 'hoverable')}
          >
            <UserAvatar name={displayName} src={avatarUrl} size={AVATAR_SIZE} />
            <div className={look('shrink')}>
              <CardTitle className={classes.name}>
                <Link to="/profile/$id" params={{ id: String(id) }} className={cover}>
                  {displayName}
                </Link>
              </CardTitle>
              <p className={look('oneLine', 'note')}>
                @{username} · {formatCount(subscriberCount)}{' '}
                {subscriberCount === 1 ? 'subscriber' : 'subscribers'}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
