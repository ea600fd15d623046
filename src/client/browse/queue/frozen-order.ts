import { useEffect, useSyncExternalStore } from 'react'
import { parseObject, tabStorage } from '#client/platform/browser-storage.ts'
import { onForgetMember } from '#client/platform/forget-member.ts'
import { createStore } from '#client/platform/store.ts'

/** Snapshot of the history. */
type Frozen = { ids: readonly number[]; isComplete: boolean }

const KEY = 'clutch-queue-history'
const NONE: Frozen = { ids: [], isComplete: false }

const frozen = createStore<Frozen>(readFrozen())
onForgetMember(() => frozen.set(NONE))

function save(next: Frozen): void {
  frozen.set(next)
  tabStorage.write(KEY, JSON.stringify(next))
}

export function startHistoryAnew(): void {
  save(NONE)
}

type FrozenOptions = { isOn: boolean; videoId: number; isComplete: boolean }

/**
 * Keeps the initial order: watching moves a video to the front, and playback would run backwards.
 */
export function useFrozenOrder<One extends { id: number }>(
  entries: readonly One[],
  { isOn, videoId, isComplete }: FrozenOptions,
): readonly One[] {
  const known = useSyncExternalStore(frozen.subscribe, frozen.get)
  const isUsed = isOn && entries.length > 0
  const loaded = { ids: entries.map(({ id }) => id), isComplete }
  const next = isUsed ? freeze(known, { loaded, videoId }) : known
  const isNew = next.isComplete !== known.isComplete || next.ids.join() !== known.ids.join()
  useEffect(() => {
    if (isNew) save(next)
  }, [isNew, next])
  if (!isUsed) return entries
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return next.ids.map((id) => byId.get(id)).filter((entry) => entry !== undefined)
}

/** Later entries are appended; an unknown video restarts. */
function freeze(known: Frozen, { loaded, videoId }: { loaded: Frozen; videoId: number }): Frozen {
  if (!known.ids.includes(videoId)) return loaded
  if (known.isComplete) return known
  const later = loaded.ids.filter((id) => !known.ids.includes(id))
  return { ids: [...known.ids, ...later], isComplete: loaded.isComplete }
}

function readFrozen(): Frozen {
  const { ids, isComplete } = parseObject(tabStorage.read(KEY))
  return Array.isArray(ids) && ids.every((id) => typeof id === 'number')
    ? { ids, isComplete: isComplete === true }
    : NONE
}
