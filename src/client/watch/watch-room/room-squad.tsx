import { useEffect, useState } from 'react'
import type { SquadView } from '#shared/schemas/squad-view.schemas.ts'
import { ReactionBar } from '../reaction/reaction-bar.tsx'
import { ReactionStage } from '../reaction/reaction-stage.tsx'
import { createSquad, lengthOf, placedIn } from '../squad-view/squad.ts'
import { SquadStage } from '../squad-view/squad-stage.tsx'
import { useRoom, useRoomState } from './room-context.ts'
import { followRoomClock } from './room-match-clock.ts'
import { useRoomReactions } from './room-overlay.tsx'
import classes from './room-player.module.css'

type RoomSquadProps = { itemId: number; view: SquadView }

/**
 * A squad view that plays where the room is. Everyone chooses their own large picture, so there are no drawings. Over
 * the pictures, the buttons of the reactions would hide the small ones.
 */
export function RoomSquad({ itemId, view }: RoomSquadProps) {
  const room = useRoom()
  const recordings = placedIn(view)
  const [{ squad, clock }] = useState(() => {
    const clock = followRoomClock(room, { itemId, lengthSeconds: lengthOf(recordings) })
    return { clock, squad: createSquad(recordings, clock) }
  })
  useEffect(() => clock.run(), [clock])
  const pressing = useRoomReactions()
  const { press, pressed } = pressing
  const isMember = useRoomState(({ role }) => role !== null)
  return (
    <SquadStage
      {...{ squad, recordings }}
      overlay={<ReactionStage {...pressing} canReact={isMember} hasBar={false} />}
    >
      {isMember && <ReactionBar className={classes.reactions} pressed={pressed} onReact={press} />}
    </SquadStage>
  )
}
