import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Squad } from './squad.ts'

export const SquadContext = createContext<Squad | null>(null)

export function useSquad(): Squad {
  const squad = useContext(SquadContext)
  if (!squad) throw new Error('There is no squad view around this component.')
  return squad
}

type SquadState = ReturnType<Squad['store']['get']>

/** `select` must return stable values. */
export function useSquadState<Part>(select: (state: SquadState) => Part): Part {
  const { store } = useSquad()
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}
