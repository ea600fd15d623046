import { useEffect, useRef, useState } from 'react'
import { REACTION_WORDS, type ReactionKind } from '#shared/reactions.ts'
import { formatDuration } from '#shared/text/format.ts'
import { useReact } from './use-react.tsx'

/** How long a button shows that it was pressed, for viewers who see no floating sign. */
const PRESSED_MS = 1000

type PressReaction = {
  videoId: number
  /** Where the clip starts in its video, or 0. */
  startSeconds: number
  /** In what plays. */
  time: () => number
}

/** Reacts at the time that plays. `said` is for screen readers. */
export function usePressReaction({ videoId, startSeconds, time }: PressReaction) {
  const react = useReact(videoId)
  const [said, setSaid] = useState('')
  const [pressed, setPressed] = useState<ReactionKind>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const press = (kind: ReactionKind) => {
    const seconds = time()
    react(kind, startSeconds + seconds)
    setSaid(`${REACTION_WORDS[kind]} at ${formatDuration(seconds)}`)
    setPressed(kind)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPressed(undefined), PRESSED_MS)
  }
  return { press, pressed, said }
}
