import { Link } from '@tanstack/react-router'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { User } from '#shared/schemas/user.schemas.ts'
import { formatSubscribers } from '#shared/text/format.ts'
import classes from './channel-row.module.css'
import { SubscribeButton } from './subscribe-button.tsx'

type ChannelRowProps = {
  /** Null for an anonymous video. */
  channel: User | null
  viewerId: number | undefined
}

export function ChannelRow({ channel, viewerId }: ChannelRowProps) {
  if (!channel) {
    return (
      <div className={`${row(16, 'shrink')} ${classes.row}`}>
        <UserAvatar name="Anonymous" isNobody src={null} size={44} />
        <p className={`${look('oneLine', 'strong', 'tightLines')} ${classes.name}`}>Anonymous</p>
      </div>
    )
  }
  const { id, displayName, avatarUrl, subscriberCount } = channel
  return (
    <div className={`${row(16, 'shrink')} ${classes.row}`}>
      <Link
        to="/profile/$id"
        params={{ id: String(id) }}
        className={`${row(12, 'shrink', 'textColor', 'noUnderline')} ${classes.link}`}
      >
        <UserAvatar name={displayName} src={avatarUrl} size={44} />
        <span className={column(0, 'shrink')}>
          <span className={`${look('oneLine', 'strong', 'tightLines')} ${classes.name}`}>
            {displayName}
          </span>
          <span className={look('note', 'tightLines', 'nowrap')}>
            <RollingNumber value={subscriberCount}>
              {formatSubscribers(subscriberCount)}
            </RollingNumber>
          </span>
        </span>
      </Link>
      {id !== viewerId && <SubscribeButton channel={channel} isSignedIn={viewerId !== undefined} />}
    </div>
  )
}
