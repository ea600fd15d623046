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

/** Reacts at the time that plays. */
export function usePressReaction({ videoId, startSeconds, time }: PressReaction) {
  const react = useReact(videoId)
  return usePressed((kind) => {
    const seconds = time()
    react(kind, startSeconds + seconds)
    return `${REACTION_WORDS[kind]} at ${formatDuration(seconds)}`
  })
}

/**
 * Shows for a moment which button was pressed.
 * @param react returns what screen readers say, as `said`
 */
export function usePressed(react: (kind: ReactionKind) => string) {
  const [said, setSaid] = useState('')
  const [pressed, setPressed] = useState<ReactionKind>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const press = (kind: ReactionKind) => {
    setSaid(react(kind))
    setPressed(kind)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPressed(undefined), PRESSED_MS)
  }
  return { press, pressed, said }
}
