import { useRef } from 'react'
import { buzz } from '#client/platform/buzz.ts'
import { trpc } from '#client/trpc.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'
import { withLike } from './like-counts.ts'

type LikeOptions = {
  target: { videoId: number } | { commentId: number }
  /** Later answers must not overwrite the change. */
  stopReading: () => Promise<unknown>
  show: (counts: LikeCounts) => void
  onSaved?: () => void
  onFailed: (error: unknown) => void
}

/**
 * Optimistic; requests are sent in the order of presses. Answers are ignored while others are pending; a failure
 * restores the server's last counts.
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
    /** Pressing the active button removes it. */
    press(like: Like): void {
      if (counts.myRating === like) clear.mutate(target)
      else {
        if (like === 'like') buzz()
        set.mutate({ ...target, isLike: like === 'like' })
      }
    },
  }
}
