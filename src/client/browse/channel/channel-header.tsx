import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { look, wrapped } from '#client/kit/layout/layout.ts'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { User } from '#shared/schemas/user.schemas.ts'
import { formatSubscribers } from '#shared/text/format.ts'
import bannerClasses from './channel-banner.module.css'
import { ChannelBanner } from './channel-banner.tsx'
import classes from './channel-header.module.css'

const AVATAR_SIZE = 104

/** `action` depends on the viewer. */
type ChannelHeaderProps = { channel: User; action: ReactNode; squads?: ReactNode }

export function ChannelHeader({ channel, action, squads }: ChannelHeaderProps) {
  const { displayName, username, avatarUrl, bio, subscriberCount } = channel
  return (
    <header className={look('below16')}>
      <ChannelBanner channel={channel} />
      <div className={classes.identity}>
        <div className={classes.avatar}>
          <UserAvatar name={displayName} src={avatarUrl} size={AVATAR_SIZE} />
        </div>
        <div className={classes.names}>
          <h1 className={look('breakWords', 'pageHeading')}>{displayName}</h1>
          <p className={`${wrapped([0, 8], 'muted')} ${classes.facts}`}>
            <span>@{username}</span>
            <span>{formatSubscribers(subscriberCount)}</span>
            {squads}
          </p>
          {bio && <p className={`${look('twoLines')} ${classes.bio}`}>{bio}</p>}
        </div>
        <div className={classes.action}>{action}</div>
      </div>
    </header>
  )
}

export function ChannelHeaderSkeleton() {
  return (
    <div className={look('below16')} role="status" aria-label="Loading channel">
      <div className={bannerClasses.banner}>
        <Skeleton className={`${classes.skeletonBanner} ${look('card', 'fullHeight')}`} />
      </div>
      <div className={classes.identity}>
        <div className={classes.avatar}>
          <Skeleton circle height={104} />
        </div>
        <div className={classes.names}>
          <div className={look('breakWords', 'pageHeading')} style={{ lineHeight: 1.25 }}>
            <TextSkeleton width="min(240px, 80%)" />
          </div>
          <div>
            <TextSkeleton width="min(200px, 60%)" />
          </div>
          <div className={`${look('twoLines')} ${classes.bio}`}>
            <TextSkeleton width="min(480px, 90%)" />
          </div>
        </div>
        <div className={classes.action}>
          <Skeleton width={120} height="var(--touch)" radius="xl" />
        </div>
      </div>
    </div>
  )
}
