import { Link } from '@tanstack/react-router'
import { coverLink } from '#client/kit/card/card.tsx'
import { GameFacts } from '#client/kit/video/game-facts.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatViews } from '#shared/text/format.ts'
import { MediaRow } from '../video/list/media-row.tsx'
import { ClipFrame } from './clip-card.tsx'

/** A clip in a post. */
export function ClipRow({ clip }: { clip: Clip }) {
  const { id, title, maker, video, viewCount, createdAt } = clip
  return (
    <MediaRow
      data-game={video.category}
      picture={<ClipFrame clip={clip} />}
      heading="h3"
      title={
        <Link to="/clip/$id" params={{ id: String(id) }} className={coverLink}>
          {title}
        </Link>
      }
      by={maker?.displayName ?? 'Anonymous'}
      numbers={
        <GameFacts category={video.category}>
          {formatViews(viewCount)} · <TimeAgo time={createdAt} />
        </GameFacts>
      }
    />
  )
}
