import { SectionTabs } from '#client/kit/control/section-tabs.tsx'
import type { WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import { RoomChat } from './room-chat.tsx'
import { useRoomState } from './room-context.ts'
import { RoomPeople } from './room-people.tsx'
import { RoomQueue } from './room-queue.tsx'

export const ROOM_TABS = ['chat', 'people', 'queue'] as const
export type RoomTab = (typeof ROOM_TABS)[number]

type RoomPanelProps = {
  room: WatchRoom
  viewerId: number | undefined
  time: () => number
  tab: RoomTab
  onTab: (tab: RoomTab) => void
}

/** The panel is beside the player, or in a sheet on phones. */
export function RoomPanel({ room, viewerId, time, tab, onTab }: RoomPanelProps) {
  const count = useRoomState(({ people, guests }) => people.length + guests)
  const tabs = [
    { id: 'chat', label: 'Chat' },
    { id: 'people', label: count > 0 ? `People ${count}` : 'People' },
    { id: 'queue', label: `Queue ${room.items.length}` },
  ] as const
  return (
    <SectionTabs label="Room" tabs={tabs} current={tab} onChange={onTab}>
      {tab === 'chat' && <RoomChat viewerId={viewerId} time={time} />}
      {tab === 'people' && <RoomPeople room={room} viewerId={viewerId} />}
      {tab === 'queue' && <RoomQueue items={room.items} />}
    </SectionTabs>
  )
}
