import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CardTitle, coverLink } from '#client/kit/card/card.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { GameFacts } from '#client/kit/video/game-facts.tsx'
import { usePreview } from '#client/kit/video/moving-picture.tsx'
import { Picture, PictureSkeleton } from '#client/kit/video/picture.tsx'
import { PublishedAt } from '#client/kit/video/published-at.tsx'
import { VisibilityBadge } from '#client/kit/visibility/visibility-badge.tsx'
import { posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDuration, formatViews } from '#shared/text/format.ts'
import { CardMenu } from '../card/card-menu.tsx'
import { ResumeBar } from '../card/resume-bar.tsx'
import { MediaRow } from './media-row.tsx'
import classes from './video-row.module.css'

type VideoRowProps = {
  video: Video
  positionSeconds?: number | undefined
  /** Also enlarges the picture. */
  hasDescription?: boolean
  heading?: 'h2' | 'h3'
  /** Queue in the link. */
  queue?: string
  /** Buttons before the menu. */
  children?: ReactNode
}

export function VideoRow(props: VideoRowProps) {
  const { video, positionSeconds, hasDescription, heading = 'h3', queue, children } = props
  const { id, title, channel, duration, description } = video
  const preview = usePreview(video.storyboardUrl)
  return (
    <MediaRow
      data-game={video.category}
      isLarge={hasDescription}
      {...preview.handlers}
      picture={
        <Picture
          {...posterOf(video)}
          shape={video}
          sizes={hasDescription ? '246px' : '168px'}
          preview={preview.picture}
          badges={
            video.visibility !== 'public' && (
              <VisibilityBadge
                visibility={video.visibility}
                squad={video.squad}
                isShort={!hasDescription}
              />
            )
          }
          corner={duration > 0 ? formatDuration(duration) : undefined}
        >
          <ResumeBar positionSeconds={positionSeconds} durationSeconds={duration} />
        </Picture>
      }
      heading={heading}
      title={
        <Link
          to="/video/$id"
          params={{ id: String(id) }}
          search={queue === undefined ? {} : { list: queue }}
          className={coverLink}
        >
          {title}
        </Link>
      }
      by={channel?.displayName ?? 'Anonymous'}
      numbers={
        <GameFacts category={video.category}>
          {formatViews(video.viewCount)} · <PublishedAt time={video.publishedAt} />
        </GameFacts>
      }
      actions={
        <>
          {children}
          <CardMenu video={video} />
        </>
      }
    >
      {hasDescription && description && (
        <p className={`${look('twoLines', 'above8', 'note', 'tightLines')} ${classes.description}`}>
          {description}
        </p>
      )}
    </MediaRow>
  )
}

export function VideoRowSkeleton({ hasDescription }: { hasDescription?: boolean }) {
  return (
    <div className={classes.row} data-large={hasDescription || undefined} aria-hidden="true">
      <PictureSkeleton />
      <div className={`${classes.words} ${look('shrink')}`}>
        <CardTitle as="div" lines={2} className={`${classes.title} ${look('below4')}`}>
          <TextSkeleton width="85%" />
        </CardTitle>
        <div className={classes.facts}>
          <TextSkeleton width="45%" />
        </div>
        {hasDescription && (
          <div className={`${classes.description} ${look('above8', 'note', 'tightLines')}`}>
            <TextSkeleton />
          </div>
        )}
      </div>
    </div>
  )
}
