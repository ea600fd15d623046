import { useEffect } from 'react'
import { isTyping } from '../../watch/player/overlay/next-up.tsx'
import { usePlayer, usePlayerState } from '../../watch/player/player-context.ts'

type QueueEndingProps = {
  isRepeated: boolean
  /** Undefined at the end of the queue. */
  onNext: (() => void) | undefined
}

/** At the end of a video its queue goes on, but not while something is being typed: a comment must not get lost. */
export function QueueEnding({ isRepeated, onNext }: QueueEndingProps) {
  const player = usePlayer()
  const hasEnded = usePlayerState((state) => state.hasEnded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what holds as it ends.
  useEffect(() => {
    if (!hasEnded) return
    if (isRepeated) {
      player.seek(0)
      player.play()
    } else if (onNext && !isTyping()) onNext()
  }, [hasEnded])
  return null
}
