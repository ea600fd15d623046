import type { ReactionKind } from '#shared/reactions.ts'
import { openPlayer } from '../player/host/use-player-slot.ts'
import { usePlayerMemory } from '../player/use-player-memory.ts'
import { ReactionBar } from './reaction-bar.tsx'
import { useReact } from './use-react.tsx'

type ReactionStripProps = {
  videoId: number
  /** Where the clip starts in its video, or 0. */
  startSeconds: number
}

/** Shows the buttons below the player of a phone, within reach of the thumb. */
export default function ReactionStrip({ videoId, startSeconds }: ReactionStripProps) {
  const react = useReact(videoId)
  const isShown = usePlayerMemory('showsReactions')
  if (!isShown) return null
  const press = (kind: ReactionKind) => react(kind, startSeconds + (openPlayer.current?.time() ?? 0))
  return <ReactionBar onReact={press} />
}
