import { Link } from '@tanstack/react-router'
import { formatDuration, formatViews } from '#shared/format.ts'
import type { Video } from '#shared/video.schemas.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Mark } from '../../components/mark.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import classes from './video-card.module.css'

const ANONYMOUS = 'Anonymous'

type VideoCardProps = {
  video: Video
  /** True for the cards that are in view when the page opens: their pictures come first. */
  isAboveFold?: boolean
  heading?: 'h2' | 'h3'
}

/** A video in a grid: picture, title, channel, views and age. The whole card opens the video. */
export function VideoCard({ video, isAboveFold, heading: Heading = 'h2' }: VideoCardProps) {
  const { id, title, channel, duration } = video
  return (
    <article className={classes.card} data-game={video.category}>
      <div className={classes.picture}>
        {video.thumbnailUrl ? (
          <img
            className={classes.image}
            src={video.thumbnailUrl}
            alt=""
            width={640}
            height={360}
            loading={isAboveFold ? 'eager' : 'lazy'}
            decoding="async"
          />
        ) : (
          <Mark size={64} className={classes.noImage} />
        )}
        {duration > 0 && <span className={classes.duration}>{formatDuration(duration)}</span>}
      </div>
      <div className={classes.below}>
        {channel ? (
          <Link
            to={`/profile/${channel.id}` as string}
            className={classes.avatar}
            aria-label={channel.displayName}
          >
            <Avatar name={channel.displayName} src={channel.avatarUrl} />
          </Link>
        ) : (
          <Avatar name={ANONYMOUS} src={null} />
        )}
        <div className={classes.words}>
          <Heading className={classes.title}>
            <Link to="/video/$id" params={{ id: String(id) }} className={classes.link}>
              {title}
            </Link>
          </Heading>
          <p className={classes.channel}>{channel?.displayName ?? ANONYMOUS}</p>
          <p className={classes.facts}>
            {formatViews(video.viewCount)} · <TimeAgo time={video.publishedAt} />
          </p>
        </div>
      </div>
    </article>
  )
}

/** A card still to come, with exactly the boxes of one with a title of two lines. */
export function VideoCardSkeleton() {
  return (
    <div className={classes.card} aria-hidden="true">
      <div className={`${classes.picture} ${classes.bone}`} />
      <div className={classes.below}>
        <span className={`${classes.boneAvatar} ${classes.bone}`} />
        <div className={classes.words}>
          <div className={classes.title}>
            <span className={`${classes.boneLine} ${classes.bone}`} />
            <span className={`${classes.boneLine} ${classes.bone}`} data-width="short" />
          </div>
          <p className={classes.channel}>
            <span className={`${classes.boneLine} ${classes.bone}`} data-width="half" />
          </p>
          <p className={classes.facts}>
            <span className={`${classes.boneLine} ${classes.bone}`} data-width="half" />
          </p>
        </div>
      </div>
    </div>
  )
}
