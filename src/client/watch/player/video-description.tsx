import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { column, look, row, wrapped } from '#client/kit/layout/layout.ts'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDate, formatViews } from '#shared/text/format.ts'
import classes from './video-description.module.css'

const PREVIEW_CHARACTERS = 150

type VideoDescriptionProps = {
  video: Pick<Video, 'description' | 'tags' | 'category' | 'viewCount' | 'publishedAt'>
  /** Is shown at the end of the facts. */
  watching?: ReactNode
  renderText: (text: string, maxCharacters: number | undefined) => ReactNode
}

/** Long texts fold. */
export function VideoDescription({ video, watching, renderText }: VideoDescriptionProps) {
  const [isOpen, setOpen] = useState(false)
  const textId = useId()
  const { description, tags, category } = video
  const isLong = [...description].length > PREVIEW_CHARACTERS
  return (
    <section className={`${column(8, 'start')} ${classes.box}`} aria-label="Description">
      <p className={`${row([4, 12], 'wrap', 'strong')} ${look('fullWidth')}`}>
        <RollingNumber value={video.viewCount}>{formatViews(video.viewCount)}</RollingNumber>
        {video.publishedAt ? (
          <time dateTime={video.publishedAt}>{formatDate(video.publishedAt)}</time>
        ) : (
          <span>Recently published</span>
        )}
        <Link to="/" search={{ category }} className={classes.game} data-game={category}>
          {category}
        </Link>
        {watching}
      </p>
      {description && (
        <p id={textId} className={look('prose')}>
          {renderText(description, isLong && !isOpen ? PREVIEW_CHARACTERS : undefined)}
          {isLong && !isOpen && '…'}
        </p>
      )}
      {isLong && (
        <UnstyledButton
          className={`${classes.more} ${look('hoverUnderline')}`}
          aria-expanded={isOpen}
          aria-controls={textId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </UnstyledButton>
      )}
      {tags.length > 0 && (
        <ul className={`${wrapped([4, 12])} ${classes.tags}`} aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <Link to="/search" search={{ q: tag }}>
                #{tag}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
