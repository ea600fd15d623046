import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { usePreview } from '#client/kit/video/moving-picture.tsx'
import { Picture, PictureSkeleton } from '#client/kit/video/picture.tsx'
import { PublishedAt } from '#client/kit/video/published-at.tsx'
import { CARD_SIZES, posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDuration, formatViews } from '#shared/text/format.ts'
import { CardMenu } from './card-menu.tsx'
import { ResumeBar } from './resume-bar.tsx'
import { hasBadges, VideoBadges } from './video-badges.tsx'
import classes from './video-card.module.css'

const HiddenCard = lazyPart(() => import('./hidden-card.tsx'), <PictureSkeleton />)
const ANONYMOUS = 'Anonymous'

export type VideoCardProps = {
  video: Video
  /** Visible at first; loads first. */
  isAboveFold?: boolean
  heading?: 'h2' | 'h3' | undefined
  /** Omits the channel's name. */
  isOnChannel?: boolean | undefined
  /** Resume position. */
  positionSeconds?: number | undefined
}

/** The whole card is a link. */
export function VideoCard({
  video,
  isAboveFold = false,
  heading: Heading = 'h2',
  isOnChannel = false,
  positionSeconds,
}: VideoCardProps) {
  const { id, title, channel, duration } = video
  const [isHidden, setHidden] = useState(false)
  const preview = usePreview(video.storyboardUrl)
  if (isHidden) {
    return (
      <div className={classes.card} data-nameless={isOnChannel || undefined}>
        <HiddenCard video={video} onUndo={() => setHidden(false)} />
      </div>
    )
  }
  return (
    <article
      className={classes.card}
      data-game={video.category}
      data-nameless={isOnChannel || undefined}
      {...preview.handlers}
    >
      <Picture
        {...posterOf(video)}
        shape={video}
        sizes={CARD_SIZES}
        preview={preview.picture}
        isAboveFold={isAboveFold}
        badges={hasBadges(video) && <VideoBadges video={video} />}
        corner={duration > 0 ? formatDuration(duration) : undefined}
      >
        <ResumeBar positionSeconds={positionSeconds} durationSeconds={duration} />
      </Picture>
      <div className={classes.below}>
        {!isOnChannel && <ChannelAvatar channel={channel} />}
        <div className={classes.words}>
          <Heading className={classes.title}>
            <Link to="/video/$id" params={{ id: String(id) }} className={classes.link}>
              {title}
            </Link>
          </Heading>
          {!isOnChannel && <p className={classes.channel}>{channel?.displayName ?? ANONYMOUS}</p>}
          <p className={classes.facts}>
            {formatViews(video.viewCount)} · <PublishedAt time={video.publishedAt} />
          </p>
        </div>
        <CardMenu video={video} className={classes.menu} onHide={setHidden} />
      </div>
    </article>
  )
}

function ChannelAvatar({ channel }: { channel: Video['channel'] }) {
  if (!channel) return <UserAvatar name={ANONYMOUS} isNobody src={null} />
  return (
    <Link
      to="/profile/$id"
      params={{ id: String(channel.id) }}
      className={classes.avatar}
      aria-label={channel.displayName}
    >
      <UserAvatar name={channel.displayName} src={channel.avatarUrl} />
    </Link>
  )
}

/** Same boxes as a card with a two-line title. */
export function VideoCardSkeleton({ isOnChannel = false }: { isOnChannel?: boolean | undefined }) {
  return (
    <div className={classes.card} data-nameless={isOnChannel || undefined} aria-hidden="true">
      <PictureSkeleton />
      <div className={classes.below}>
        {!isOnChannel && <Skeleton className={classes.skeletonAvatar} />}
        <div className={classes.words}>
          <div className={classes.title}>
            <TextSkeleton />
            <TextSkeleton width="70%" />
          </div>
          {!isOnChannel && (
            <div className={classes.channel}>
              <TextSkeleton width="45%" />
            </div>
          )}
          <div className={classes.facts}>
            <TextSkeleton width="45%" />
          </div>
        </div>
      </div>
    </div>
  )
}
