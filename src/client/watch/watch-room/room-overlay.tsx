import { trpc } from '#client/trpc.ts'
import { REACTION_WORDS } from '#shared/reactions.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { ReactionStage } from '../reaction/reaction-stage.tsx'
import { usePressed } from '../reaction/use-press-reaction.ts'
import { DrawingLayer } from './drawing-layer.tsx'
import { useRoom, useRoomState } from './room-context.ts'
import { showOwnReaction } from './room-reactions.ts'

/** Reactions and drawings over the picture. */
export function RoomOverlay({ video }: { video: Pick<Video, 'width' | 'height'> }) {
  const pressing = useRoomReactions()
  const isMember = useRoomState(({ role }) => role !== null)
  return (
    <>
      <DrawingLayer width={video.width ?? 16} height={video.height ?? 9} canDraw={isMember} />
      <ReactionStage {...pressing} canReact={isMember} />
    </>
  )
}

/** The room shows a reaction to all who are in it. Nothing is stored. */
export function useRoomReactions() {
  const { token } = useRoom()
  const { mutate } = trpc.watchRoom.react.useMutation()
  return usePressed((kind) => {
    showOwnReaction(kind)
    mutate({ token, kind })
    return REACTION_WORDS[kind]
  })
}
