import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'

/** Null removes the like or dislike. */
export function withLike(counts: LikeCounts, wanted: Like | null): LikeCounts {
  const { likeCount, dislikeCount, myRating } = counts
  const change = (like: Like) => Number(wanted === like) - Number(myRating === like)
  return {
    likeCount: Math.max(0, likeCount + change('like')),
    dislikeCount: Math.max(0, dislikeCount + change('dislike')),
    myRating: wanted,
  }
}
