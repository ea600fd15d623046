import { useRef } from 'react'
import { trpc } from '#client/trpc.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'
import { withLike } from './like-counts.ts'

type LikeOptions = {
  target: { videoId: number } | { commentId: number }
  /** Stops what is being read of the target, so that it does not overwrite the change. */
  stopReading: () => Promise<unknown>
  show: (counts: LikeCounts) => void
  onSaved?: () => void
  onFailed: (error: unknown) => void
}

/**
 * Likes or dislikes at once on the page and then on the server, in the order of the clicks. While more clicks
 * are under way their answers are not shown; a failure puts back what the server last said.
 */
export function useLike(counts: LikeCounts, options: LikeOptions) {
  const { target, show } = options
  const underWay = useRef(0)
  const truth = useRef(counts)
  const begin = (wanted: Like | null) => {
    if (underWay.current === 0) truth.current = counts
    underWay.current += 1
    void options.stopReading()
    show(withLike(counts, wanted))
  }
  const end = () => {
    underWay.current -= 1
    if (underWay.current === 0) show(truth.current)
  }
  const shared = {
    scope: { id: `like ${JSON.stringify(target)}` },
    onSuccess: (saved: LikeCounts) => {
      truth.current = saved
      end()
      options.onSaved?.()
    },
    onError: (error: unknown) => {
      end()
      options.onFailed(error)
    },
  }
  const set = trpc.like.set.useMutation({
    ...shared,
    onMutate: ({ isLike }) => begin(isLike ? 'like' : 'dislike'),
  })
  const clear = trpc.like.clear.useMutation({ ...shared, onMutate: () => begin(null) })
  return {
    /** Presses a button: a lit one is put out. */
    press(like: Like): void {
      if (counts.myRating === like) clear.mutate(target)
      else set.mutate({ ...target, isLike: like === 'like' })
    },
  }
}
