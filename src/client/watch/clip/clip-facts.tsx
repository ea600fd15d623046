import { IconCut } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { row } from '#client/kit/layout/layout.ts'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatViews } from '#shared/text/format.ts'
import classes from './clip-facts.module.css'

const nameLook = `${classes.name} ${row(8, 'inline', 'small', 'strong', 'textColor')}`

type ClipFactsProps = {
  clip: Pick<Clip, 'maker' | 'viewCount' | 'createdAt'>
  /** The children are shown at the end of the line. */
  children?: ReactNode
}

export function ClipFacts({ clip, children }: ClipFactsProps) {
  const { maker, viewCount, createdAt } = clip
  return (
    <p className={row([4, 16], 'wrap', 'note')}>
      <span className={row(8, 'inline')}>
        <IconCut size={16} stroke={1.75} aria-hidden />
        <span className={classes.by}>Clipped by</span>
        {maker ? (
          <Link to="/profile/$id" params={{ id: String(maker.id) }} className={nameLook}>
            <UserAvatar name={maker.displayName} src={maker.avatarUrl} size={24} />
            {maker.displayName}
          </Link>
        ) : (
          <span className={nameLook}>Anonymous</span>
        )}
      </span>
      <RollingNumber value={viewCount}>{formatViews(viewCount)}</RollingNumber>
      <TimeAgo time={createdAt} />
      {children}
    </p>
  )
}
