import { useEffect, useState } from 'react'
import type { SquadView } from '#shared/schemas/squad-view.schemas.ts'
import { createSquad, lengthOf, placedIn } from '../squad-view/squad.ts'
import { SquadStage } from '../squad-view/squad-stage.tsx'
import { useRoom } from './room-context.ts'
import { followRoomClock } from './room-match-clock.ts'
import { RoomOverlay } from './room-overlay.tsx'

type RoomSquadProps = { itemId: number; view: SquadView }

/** A squad view that plays where the room is. Everyone chooses their own large picture. */
export function RoomSquad({ itemId, view }: RoomSquadProps) {
  const room = useRoom()
  const recordings = placedIn(view)
  const [{ squad, clock }] = useState(() => {
    const clock = followRoomClock(room, { itemId, lengthSeconds: lengthOf(recordings) })
    return { clock, squad: createSquad(recordings, clock) }
  })
  useEffect(() => clock.run(), [clock])
  return <SquadStage squad={squad} recordings={recordings} overlay={<RoomOverlay />} />
}
