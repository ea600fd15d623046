import { useEffect } from 'react'
import { mayContinue } from '../../watch/player/core/may-continue.ts'
import { usePlayer, usePlayerState } from '../../watch/player/player-context.ts'

type QueueEndingProps = {
  isRepeated: boolean
  /** Undefined at the end of the queue. */
  onNext: (() => void) | undefined
}

/** Continues the queue; the end card waits while it may not. */
export function QueueEnding({ isRepeated, onNext }: QueueEndingProps) {
  const player = usePlayer()
  const hasEnded = usePlayerState((state) => state.hasEnded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the values at the end.
  useEffect(() => {
    if (!hasEnded) return
    if (isRepeated) {
      player.seek(0)
      player.play()
    } else if (onNext && mayContinue(player.core.frame)) onNext()
  }, [hasEnded])
  return null
}
