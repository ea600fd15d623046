import { useEffect, useMemo } from 'react'
import { trpc } from '#client/trpc.ts'
import { usePlayer } from '../player/player-context.ts'
import { usePlayerMemory } from '../player/use-player-memory.ts'
import { type ReactionRange, ReactionStage } from './reaction-stage.tsx'
import { TakeBackItem } from './take-back-item.tsx'
import { timeReactions } from './timed-reactions.ts'
import { usePressReaction } from './use-press-reaction.ts'

type ReactionLayerProps = {
  videoId: number
  canReact: boolean
  /** The part of the video that plays, if it is a clip. */
  range?: ReactionRange
}

/** Shows reactions over the picture of a video. */
export default function ReactionLayer(props: ReactionLayerProps) {
  const { core } = usePlayer()
  const isShown = usePlayerMemory('showsReactions')
  const { videoId, canReact } = props
  useEffect(() => {
    core.hasReactions = true
    core.renderTakeBack = canReact
      ? (onClose) => <TakeBackItem videoId={videoId} onClose={onClose} />
      : undefined
    return () => {
      core.hasReactions = false
      core.renderTakeBack = undefined
    }
  }, [core, videoId, canReact])
  return isShown && <ShownReactions {...props} />
}

function ShownReactions({ videoId, canReact, range }: ReactionLayerProps) {
  const player = usePlayer()
  const { data } = trpc.reaction.list.useQuery({ id: videoId })
  const timed = useMemo(() => data && timeReactions(data), [data])
  const pressing = usePressReaction({
    videoId,
    startSeconds: range?.start ?? 0,
    time: () => player.get().time,
  })
  return <ReactionStage {...pressing} timed={timed} range={range} canReact={canReact} />
}
