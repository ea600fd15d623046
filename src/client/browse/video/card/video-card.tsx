import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Card, CardSkeleton, coverLink } from '#client/kit/card/card.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { GameFacts } from '#client/kit/video/game-facts.tsx'
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
import { WatchingMark } from './watching-mark.tsx'

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
  heading = 'h2',
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
    <Card
      className={classes.card}
      data-game={video.category}
      data-nameless={isOnChannel || undefined}
      {...preview.handlers}
      picture={
        <Picture
          {...posterOf(video)}
          shape={video}
          sizes={CARD_SIZES}
          preview={preview.picture}
          isAboveFold={isAboveFold}
          badges={hasBadges(video) && <VideoBadges video={video} />}
          corner={duration > 0 ? formatDuration(duration) : undefined}
        >
          <WatchingMark videoId={id} />
          <ResumeBar positionSeconds={positionSeconds} durationSeconds={duration} />
        </Picture>
      }
      avatar={!isOnChannel && <ChannelAvatar channel={channel} />}
      heading={heading}
      title={
        <Link to="/video/$id" params={{ id: String(id) }} className={coverLink}>
          {title}
        </Link>
      }
      titleLines={2}
      facts={[
        ...(isOnChannel ? [] : [channel?.displayName ?? ANONYMOUS]),
        <GameFacts key="views" category={video.category}>
          {formatViews(video.viewCount)} · <PublishedAt time={video.publishedAt} />
        </GameFacts>,
      ]}
      menu={<CardMenu video={video} className={classes.menu} onHide={setHidden} />}
    />
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
    <CardSkeleton
      className={classes.card}
      data-nameless={isOnChannel || undefined}
      picture={<PictureSkeleton />}
      avatar={!isOnChannel && <Skeleton circle height={36} />}
      title={['100%', '70%']}
      facts={isOnChannel ? ['45%'] : ['45%', '45%']}
    />
  )
}
