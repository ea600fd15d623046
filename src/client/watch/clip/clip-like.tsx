import { Button } from '@mantine/core'
import { IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import { useLikeClip } from './use-like-clip.ts'

type ClipLikeProps = { clip: Pick<Clip, 'id' | 'likeCount' | 'isLiked'>; isSignedIn: boolean }

export function ClipLike({ clip, isSignedIn }: ClipLikeProps) {
  const { likeCount, isLiked } = clip
  const press = useLikeClip(clip, isSignedIn)
  const Icon = isLiked ? IconThumbUpFilled : IconThumbUp
  return (
    <Button
      variant="default"
      radius="xl"
      aria-pressed={isSignedIn ? isLiked : undefined}
      aria-label={isSignedIn ? `Like, ${likeCount}` : `Sign in to like, ${likeCount}`}
      leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
      onClick={press}
    >
      {likeCount > 0 ? (
        <RollingNumber value={likeCount}>{formatCount(likeCount)}</RollingNumber>
      ) : (
        'Like'
      )}
    </Button>
  )
}
