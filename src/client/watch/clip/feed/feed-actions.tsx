import { UnstyledButton } from '@mantine/core'
import {
  IconMessage,
  IconMovie,
  IconShare3,
  IconThumbUp,
  IconThumbUpFilled,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { column, look } from '#client/kit/layout/layout.ts'
import { shareLink } from '#client/platform/video/share-link.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import { useLikeClip } from '../use-like-clip.ts'
import classes from './feed-actions.module.css'

const actionLook = [
  classes.action,
  column(2, 'centre', 'touch', 'rounded', 'fine', 'hoverText'),
].join(' ')

const iconLook = `${classes.icon} ${look('centred', 'pill', 'surface', 'textColor')}`

/** Beside the clip; on phones over it. */
export function FeedActions({ clip, isSignedIn }: { clip: Clip; isSignedIn: boolean }) {
  const { id, title, isLiked, likeCount, commentCount, video } = clip
  const like = useLikeClip(clip, isSignedIn)
  const LikeIcon = isLiked ? IconThumbUpFilled : IconThumbUp
  const at = Math.floor(clip.startSeconds)
  return (
    <div className={`${column(12)} ${classes.actions}`}>
      <UnstyledButton
        className={actionLook}
        aria-pressed={isSignedIn ? isLiked : undefined}
        aria-label={isSignedIn ? `Like, ${likeCount}` : `Sign in to like, ${likeCount}`}
        onClick={like}
      >
        <span className={iconLook} data-liked={isLiked || undefined}>
          <LikeIcon size={24} stroke={1.75} aria-hidden />
        </span>
        {formatCount(likeCount)}
      </UnstyledButton>
      <Link
        className={actionLook}
        to="/clip/$id"
        params={{ id: String(id) }}
        aria-label={`Comments, ${commentCount}`}
      >
        <span className={iconLook}>
          <IconMessage size={24} stroke={1.75} aria-hidden />
        </span>
        {formatCount(commentCount)}
      </Link>
      <UnstyledButton
        className={actionLook}
        onClick={() => void shareLink({ path: `/clip/${id}`, title })}
      >
        <span className={iconLook}>
          <IconShare3 size={24} stroke={1.75} aria-hidden />
        </span>
        Share
      </UnstyledButton>
      <Link
        className={actionLook}
        to="/video/$id"
        params={{ id: String(video.id) }}
        search={at > 0 ? { t: String(at) } : {}}
        aria-label="Whole video"
      >
        <span className={iconLook}>
          <IconMovie size={24} stroke={1.75} aria-hidden />
        </span>
        Video
      </Link>
    </div>
  )
}
