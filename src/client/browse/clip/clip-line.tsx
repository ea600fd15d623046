import { Link } from '@tanstack/react-router'
import { coverLink } from '#client/kit/card/card.tsx'
import { GameFacts } from '#client/kit/video/game-facts.tsx'
import { Picture } from '#client/kit/video/picture.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { posterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatDuration, formatViews } from '#shared/text/format.ts'
import { MediaRow } from '../video/list/media-row.tsx'

type ClipLineProps = {
  clip: Clip
  /** Queue in the link. */
  list: string
}

/** Shows a clip beside its words, as `VideoRow` shows a video. */
export function ClipLine({ clip, list }: ClipLineProps) {
  const { id, title, maker, video, pictureUrl, startSeconds, endSeconds } = clip
  const poster = posterOf(video)
  return (
    <MediaRow
      data-game={video.category}
      picture={
        <Picture
          {...(pictureUrl ? { src: pictureUrl, previewUrl: poster.previewUrl } : poster)}
          shape={video}
          sizes="168px"
          corner={formatDuration(endSeconds - startSeconds)}
        />
      }
      heading="h3"
      title={
        <Link to="/clip/$id" params={{ id: String(id) }} search={{ list }} className={coverLink}>
          {title}
        </Link>
      }
      by={maker?.displayName ?? 'Anonymous'}
      numbers={
        <GameFacts category={video.category}>
          {formatViews(clip.viewCount)} · <TimeAgo time={clip.createdAt} />
        </GameFacts>
      }
    />
  )
}
