import { createKeyedLock } from '../locks/keyed-lock.ts'
import type { Cluster, Locks } from './cluster.ts'
import type { MessageBus } from './message-bus.ts'

/** No messages; locks in memory. */
export function createSingleProcess(): Cluster {
  return { nodeId: null, bus: createSilentBus(), locks: createMemoryLocks() }
}

function createSilentBus(): MessageBus {
  return {
    publish: async () => {},
    onMessage: () => () => {},
    onReconnect: () => () => {},
    isUp: () => true,
    sync: async () => true,
  }
}

function createMemoryLocks(): Locks {
  const taken = new Set<string>()
  return {
    withLock: createKeyedLock(),
    async tryLock(name) {
      if (taken.has(name)) return undefined
      taken.add(name)
      return async () => {
        taken.delete(name)
      }
    },
  }
}
