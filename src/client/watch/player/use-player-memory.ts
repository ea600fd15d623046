import { useSyncExternalStore } from 'react'
import {
  type PlayerMemory,
  rememberedPlayer,
  subscribeToPlayerMemory,
} from './core/player-memory.ts'

export function usePlayerMemory<Key extends keyof PlayerMemory>(key: Key): PlayerMemory[Key] {
  return useSyncExternalStore(subscribeToPlayerMemory, () => rememberedPlayer()[key])
}
