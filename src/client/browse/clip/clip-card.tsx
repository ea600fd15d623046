import { Skeleton } from '@mantine/core'
import { IconCut } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Card, CardSkeleton, coverLink } from '#client/kit/card/card.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { GameFacts } from '#client/kit/video/game-facts.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { posterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatDuration, formatViews } from '#shared/text/format.ts'
import classes from './clip-card.module.css'

type ClipCardProps = {
  clip: Clip
  heading?: 'h2' | 'h3' | 'h4'
  /** Queue in the link. */
  list?: string | undefined
  /** After the texts. */
  menu?: ReactNode
}

export function ClipCard({ clip, heading = 'h3', list, menu }: ClipCardProps) {
  const { id, title, maker, video } = clip
  return (
    <Card
      data-game={video.category}
      isSmall
      picture={<ClipFrame clip={clip} />}
      heading={heading}
      title={
        <Link
          to="/clip/$id"
          params={{ id: String(id) }}
          search={list === undefined ? {} : { list }}
          className={coverLink}
        >
          {title}
        </Link>
      }
      facts={[
        `${maker?.displayName ?? 'Anonymous'} · ${video.title}`,
        <GameFacts key="views" category={video.category}>
          {formatViews(clip.viewCount)} · <TimeAgo time={clip.createdAt} />
        </GameFacts>,
      ]}
      menu={menu}
    />
  )
}

/** The picture and duration of a clip. */
export function ClipFrame({ clip }: { clip: Clip }) {
  return (
    <div className={look('card', 'widescreen', 'skeletonGround')}>
      <ClipPicture clip={clip} />
      <span className={`${row(4, 'rounded', 'scrim', 'strong', 'size12')} ${classes.corner}`}>
        <IconCut size={14} stroke={2} aria-hidden />
        <span className="visually-hidden">Clip of</span>
        {formatDuration(clip.endSeconds - clip.startSeconds)}
      </span>
    </div>
  )
}

function ClipPicture({ clip: { pictureUrl, video } }: { clip: Clip }) {
  const src = pictureUrl ?? posterOf(video).src
  if (!src) return null
  return (
    <FittedImage
      src={src}
      shape={video}
      previewUrl={posterOf(video).previewUrl}
      width={320}
      height={180}
      loading="lazy"
      decoding="async"
    />
  )
}

/** Same boxes as a card. */
export function ClipCardSkeleton() {
  return (
    <CardSkeleton
      isSmall
      picture={<Skeleton className={look('card', 'widescreen', 'skeletonGround')} />}
      facts={['70%', '45%']}
    />
  )
}
