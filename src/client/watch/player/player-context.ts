import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Player } from './core/player.ts'
import type { PlayerState } from './core/player-state.ts'

export const PlayerContext = createContext<Player | null>(null)

export function usePlayer(): Player {
  const player = useContext(PlayerContext)
  if (!player) throw new Error('There is no player around this component.')
  return player
}

/** `select` must return stable values. */
export function usePlayerState<Part>(select: (state: PlayerState) => Part): Part {
  const player = usePlayer()
  return useSyncExternalStore(player.subscribe, () => select(player.get()))
}
