import { useEffect } from 'react'
import { isOccupied } from '../../watch/player/overlay/next-up.tsx'
import { usePlayer, usePlayerState } from '../../watch/player/player-context.ts'

type QueueEndingProps = {
  isRepeated: boolean
  /** Undefined at the end of the queue. */
  onNext: (() => void) | undefined
}

/** At the end of a video its queue goes on, but not while that would lose something. */
export function QueueEnding({ isRepeated, onNext }: QueueEndingProps) {
  const player = usePlayer()
  const hasEnded = usePlayerState((state) => state.hasEnded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what holds as it ends.
  useEffect(() => {
    if (!hasEnded) return
    if (isRepeated) {
      player.seek(0)
      player.play()
    } else if (onNext && !isOccupied()) onNext()
  }, [hasEnded])
  return null
}
