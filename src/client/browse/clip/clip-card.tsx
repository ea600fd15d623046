import { Skeleton } from '@mantine/core'
import { IconCut } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
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

export function ClipCard({ clip, heading: Heading = 'h3', list, menu }: ClipCardProps) {
  const { id, title, maker, video } = clip
  const length = formatDuration(clip.endSeconds - clip.startSeconds)
  return (
    <article className={classes.card} data-game={video.category}>
      <div className={classes.picture}>
        <ClipPicture clip={clip} />
        <span className={classes.corner}>
          <IconCut size={14} stroke={2} aria-hidden />
          <span className="visually-hidden">Clip of</span>
          {length}
        </span>
      </div>
      <div className={classes.below}>
        <div className={classes.words}>
          <Heading className={classes.title}>
            <Link
              to="/clip/$id"
              params={{ id: String(id) }}
              search={list === undefined ? {} : { list }}
              className={classes.link}
            >
              {title}
            </Link>
          </Heading>
          <p className={classes.facts}>
            {maker?.displayName ?? 'Anonymous'} · {video.title}
          </p>
          <p className={classes.facts}>
            {formatViews(clip.viewCount)} · <TimeAgo time={clip.createdAt} />
          </p>
        </div>
        {menu}
      </div>
    </article>
  )
}

function ClipPicture({ clip: { pictureUrl, video } }: { clip: Clip }) {
  const src = pictureUrl ?? video.cardUrl ?? video.thumbnailUrl
  if (!src) return null
  return (
    <FittedImage src={src} shape={video} width={320} height={180} loading="lazy" decoding="async" />
  )
}

/** Same boxes as a card. */
export function ClipCardSkeleton() {
  return (
    <div className={classes.card} aria-hidden="true">
      <Skeleton className={classes.picture} />
      <div className={classes.below}>
        <div className={classes.words}>
          <div className={classes.title}>
            <TextSkeleton />
          </div>
          <div className={classes.facts}>
            <TextSkeleton width="70%" />
          </div>
          <div className={classes.facts}>
            <TextSkeleton width="45%" />
          </div>
        </div>
      </div>
    </div>
  )
}
