import type { RatingCounts } from '#shared/community.schemas.ts'
import type { Rating } from '#shared/video.schemas.ts'

/** What the counts will be once the server has taken a rating, or its clearing with null. */
export function withRating(counts: RatingCounts, wanted: Rating | null): RatingCounts {
  const { likeCount, dislikeCount, myRating } = counts
  const change = (rating: Rating) => Number(wanted === rating) - Number(myRating === rating)
  return {
    likeCount: Math.max(0, likeCount + change('like')),
    dislikeCount: Math.max(0, dislikeCount + change('dislike')),
    myRating: wanted,
  }
}
