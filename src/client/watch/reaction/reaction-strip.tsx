import { openPlayer } from '../player/host/use-player-slot.ts'
import { usePlayerMemory } from '../player/use-player-memory.ts'
import { ReactionBar } from './reaction-bar.tsx'
import { usePressReaction } from './use-press-reaction.ts'

type ReactionStripProps = {
  videoId: number
  /** Where the clip starts in its video, or 0. */
  startSeconds: number
}

/** Shows the buttons below the player of a phone, within reach of the thumb. */
export default function ReactionStrip({ videoId, startSeconds }: ReactionStripProps) {
  const time = () => openPlayer.current?.time() ?? 0
  const { press, pressed, said } = usePressReaction({ videoId, startSeconds, time })
  const isShown = usePlayerMemory('showsReactions')
  if (!isShown) return null
  return (
    <>
      <ReactionBar pressed={pressed} onReact={press} />
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}
