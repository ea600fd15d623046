import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { CardTitle, coverLink } from '#client/kit/card/card.tsx'
import { column, look } from '#client/kit/layout/layout.ts'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { formatSubscribers } from '#shared/text/format.ts'
import classes from './channel-cards.module.css'
import { Initials } from './initials.tsx'

const AVATAR_SIZE = 72
const SKELETONS = [0, 1, 2, 3, 4, 5, 6, 7]

type FeedChannel = {
  id: number
  username: string
  displayName: string
  avatarUrl: string | null
  /** Optional. */
  subscriberCount?: number
}

type ChannelCardsProps<Channel extends FeedChannel> = {
  channels: Channel[]
  /** Heading level of the names. */
  as?: 'h2' | 'h3'
  /** `nameId` labels the button. */
  renderAction: (channel: Channel, nameId: string) => ReactNode
}

export function ChannelCards<Channel extends FeedChannel>({
  channels,
  as = 'h2',
  renderAction,
}: ChannelCardsProps<Channel>) {
  const id = useId()
  return (
    <ul className={classes.grid}>
      {channels.map((channel) => {
        const { displayName, username, avatarUrl, subscriberCount } = channel
        const nameId = `${id}${channel.id}`
        return (
          <li key={channel.id} ref={passFocusOnRemoval}>
            <article className={`${column(0, 'centre', 'framed')} ${classes.card}`}>
              {avatarUrl ? (
                <UserAvatar name={displayName} src={avatarUrl} size={AVATAR_SIZE} />
              ) : (
                <Initials name={displayName} size={AVATAR_SIZE} />
              )}
              <CardTitle as={as} className={look('fullWidth', 'above12')} id={nameId}>
                <Link to="/profile/$id" params={{ id: String(channel.id) }} className={coverLink}>
                  {displayName}
                </Link>
              </CardTitle>
              <p className={look('oneLine', 'fullWidth', 'note', 'tightLines')}>@{username}</p>
              {subscriberCount !== undefined && (
                <p className={look('oneLine', 'fullWidth', 'note', 'tightLines')}>
                  {formatSubscribers(subscriberCount)}
                </p>
              )}
              <div className={`${classes.action} ${look('relative', 'above16')}`}>
                {renderAction(channel, nameId)}
              </div>
            </article>
          </li>
        )
      })}
    </ul>
  )
}

export function ChannelCardsSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading channels">
      {SKELETONS.map((index) => (
        <div
          key={index}
          className={`${column(0, 'centre', 'framed')} ${classes.card}`}
          aria-hidden="true"
        >
          <Skeleton circle height={72} />
          <CardTitle as="div" className={`${look('fullWidth', 'above12')} ${classes.line}`}>
            <TextSkeleton width="60%" />
          </CardTitle>
          <div className={`${look('fullWidth', 'note', 'tightLines')} ${classes.line}`}>
            <TextSkeleton width="40%" />
          </div>
          <div className={`${classes.action} ${look('relative', 'above16')}`}>
            <Skeleton width={132} height="var(--touch)" radius="xl" />
          </div>
        </div>
      ))}
    </div>
  )
}
