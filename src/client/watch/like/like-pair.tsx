import { UnstyledButton } from '@mantine/core'
import {
  IconThumbDown,
  IconThumbDownFilled,
  IconThumbUp,
  IconThumbUpFilled,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { row } from '#client/kit/layout/layout.ts'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import classes from './like-pair.module.css'

const pairLook = `${classes.pair} ${row(0, 'inline', 'pill', 'surface', 'bordered', 'textColor')}`

/** The row of a phone has room for this many characters of both numbers together. */
const ROOM = 7

type LikePairProps = {
  counts: LikeCounts
  size: 'small' | 'medium'
  onPress: (like: Like) => void
}

export function LikePair({ counts, size, onPress }: LikePairProps) {
  const { likeCount, dislikeCount, myRating } = counts
  const iconSize = size === 'small' ? 16 : 20
  const isLiked = myRating === 'like'
  const isDisliked = myRating === 'dislike'
  const LikeIcon = isLiked ? IconThumbUpFilled : IconThumbUp
  const DislikeIcon = isDisliked ? IconThumbDownFilled : IconThumbDown
  return (
    <div
      className={pairLook}
      data-size={size}
      data-long={
        formatCount(likeCount).length + formatCount(dislikeCount).length > ROOM || undefined
      }
    >
      <UnstyledButton
        className={classes.half}
        data-lit={isLiked ? 'like' : undefined}
        data-none={likeCount === 0 || undefined}
        aria-pressed={isLiked}
        title="Like"
        onClick={() => onPress('like')}
      >
        <LikeIcon size={iconSize} aria-hidden />
        <span className="visually-hidden">Like</span>
        <RollingNumber value={likeCount}>{formatCount(likeCount)}</RollingNumber>
      </UnstyledButton>
      <UnstyledButton
        className={classes.half}
        data-lit={isDisliked ? 'dislike' : undefined}
        data-none={dislikeCount === 0 || undefined}
        aria-pressed={isDisliked}
        title="Dislike"
        onClick={() => onPress('dislike')}
      >
        <DislikeIcon size={iconSize} aria-hidden />
        <span className="visually-hidden">Dislike</span>
        <RollingNumber value={dislikeCount}>{formatCount(dislikeCount)}</RollingNumber>
      </UnstyledButton>
    </div>
  )
}

type LikeInvitationProps = { counts: LikeCounts; size: 'small' | 'medium'; text: string }

/** For visitors: counts, and a link to sign in. */
export function LikeInvitation({ counts, size, text }: LikeInvitationProps) {
  const signIn = useSignInLink()
  const iconSize = size === 'small' ? 16 : 20
  return (
    <Link {...signIn} className={pairLook} data-size={size} data-invitation>
      <span className={classes.half} data-none={counts.likeCount === 0 || undefined}>
        <IconThumbUp size={iconSize} aria-hidden />
        <span className="visually-hidden">Likes</span>
        <span>{formatCount(counts.likeCount)}</span>
      </span>
      <span className={classes.half} data-none={counts.dislikeCount === 0 || undefined}>
        <IconThumbDown size={iconSize} aria-hidden />
        <span className="visually-hidden">Dislikes</span>
        <span>{formatCount(counts.dislikeCount)}</span>
      </span>
      <span className={classes.text}>{text}</span>
    </Link>
  )
}
