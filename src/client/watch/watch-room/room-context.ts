import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Room, RoomState } from './room.ts'

export const RoomContext = createContext<Room | null>(null)

export function useRoom(): Room {
  const room = useContext(RoomContext)
  if (!room) throw new Error('There is no room around this component.')
  return room
}

/** `select` must return stable values. */
export function useRoomState<Part>(select: (state: RoomState) => Part): Part {
  const { store } = useRoom()
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}
