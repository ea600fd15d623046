import { openPlayer } from '../player/host/use-player-slot.ts'
import { usePlayerMemory } from '../player/use-player-memory.ts'
import { ReactionBar } from './reaction-bar.tsx'
import { useReact } from './use-react.tsx'

/** Shows the buttons below the player of a phone, within reach of the thumb. */
export default function ReactionStrip({ videoId }: { videoId: number }) {
  const react = useReact(videoId)
  const isShown = usePlayerMemory('showsReactions')
  if (!isShown) return null
  return <ReactionBar onReact={(kind) => react(kind, openPlayer.current?.time() ?? 0)} />
}
