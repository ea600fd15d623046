import { useRef } from 'react'
import { trpc } from '#client/trpc.ts'
import type { RatingCounts } from '#shared/community.schemas.ts'
import type { Rating } from '#shared/video.schemas.ts'
import { withRating } from './rating-counts.ts'

type RatingOptions = {
  target: { videoId: number } | { commentId: number }
  /** Stops what is being read of the target, so that it does not overwrite the change. */
  stopReading: () => Promise<void>
  show: (counts: RatingCounts) => void
  onSaved?: () => void
  onFailed: (error: unknown) => void
}

/**
 * Rates at once on the page and then on the server, in the order of the clicks. While more clicks
 * are under way their answers are not shown; a failure puts back what the server last said.
 */
export function useRating(counts: RatingCounts, options: RatingOptions) {
  const { target, show } = options
  const underWay = useRef(0)
  const truth = useRef(counts)
  const begin = (wanted: Rating | null) => {
    if (underWay.current === 0) truth.current = counts
    underWay.current += 1
    void options.stopReading()
    show(withRating(counts, wanted))
  }
  const end = () => {
    underWay.current -= 1
    if (underWay.current === 0) show(truth.current)
  }
  const shared = {
    scope: { id: `rating ${JSON.stringify(target)}` },
    onSuccess: (saved: RatingCounts) => {
      truth.current = saved
      end()
      options.onSaved?.()
    },
    onError: (error: unknown) => {
      end()
      options.onFailed(error)
    },
  }
  const set = trpc.rating.set.useMutation({
    ...shared,
    onMutate: ({ isLike }) => begin(isLike ? 'like' : 'dislike'),
  })
  const clear = trpc.rating.clear.useMutation({ ...shared, onMutate: () => begin(null) })
  return {
    /** Presses a button: a lit one is put out. */
    press(rating: Rating): void {
      if (counts.myRating === rating) clear.mutate(target)
      else set.mutate({ ...target, isLike: rating === 'like' })
    },
  }
}
