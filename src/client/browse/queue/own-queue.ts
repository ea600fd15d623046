import { useSyncExternalStore } from 'react'
import { parseObject, tabStorage } from '#client/platform/browser-storage.ts'
import { onForgetMember } from '#client/platform/forget-member.ts'
import { createStore } from '#client/platform/store.ts'
import { posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

export type QueueEntry = {
  id: number
  title: string
  thumbnailUrl: string | null
  duration: number
  channelName: string
}

/** Per tab. Entries up to `playedId` have been played. */
type OwnQueue = { entries: readonly QueueEntry[]; playedId: number | null }

const KEY = 'clutch-queue'
export const ENTRIES_MAX = 500

const queue = createStore<OwnQueue>(readQueue())

export const useOwnQueue = () => useSyncExternalStore(queue.subscribe, queue.get)

function change(next: Partial<OwnQueue>): void {
  queue.set(next)
  tabStorage.write(KEY, JSON.stringify(queue.get()))
}

export function upcomingOf({ entries, playedId }: OwnQueue): readonly QueueEntry[] {
  return entries.slice(entries.findIndex(({ id }) => id === playedId) + 1)
}

type Added = 'added' | 'playing' | 'full'

export function addToQueue(video: Video, place: 'next' | 'last'): Added {
  const entry = toEntry(video)
  const { entries, playedId } = queue.get()
  const others = entries.filter(({ id }) => id !== entry.id || id === playedId)
  if (others.some(({ id }) => id === entry.id)) return 'playing'
  const isNew = others.length === entries.length
  if (isNew && entries.length >= ENTRIES_MAX) return 'full'
  const played = others.findIndex(({ id }) => id === playedId) + 1
  change({ entries: others.toSpliced(place === 'next' ? played : others.length, 0, entry) })
  return 'added'
}

export function removeFromQueue(videoId: number): void {
  change({ entries: queue.get().entries.filter(({ id }) => id !== videoId) })
}

export function moveInQueue(videoId: number, toIndex: number): void {
  const { entries } = queue.get()
  const entry = entries.find(({ id }) => id === videoId)
  if (!entry) return
  const others = entries.filter(({ id }) => id !== videoId)
  change({ entries: others.toSpliced(toIndex, 0, entry) })
}

export function clearQueue(): void {
  change({ entries: [], playedId: null })
}

onForgetMember(clearQueue)

export function markPlayed(videoId: number): void {
  if (queue.get().entries.some(({ id }) => id === videoId)) change({ playedId: videoId })
}

export function toEntry(video: Video): QueueEntry {
  const { id, title, duration, channel } = video
  const channelName = channel?.displayName ?? 'Anonymous'
  return { id, title, thumbnailUrl: posterOf(video).src, duration, channelName }
}

function readQueue(): OwnQueue {
  const { entries, playedId } = parseObject(tabStorage.read(KEY))
  const isEntry = (entry: Partial<QueueEntry> | null) =>
    typeof entry?.id === 'number' && typeof entry.title === 'string'
  return {
    entries: Array.isArray(entries) ? entries.filter(isEntry) : [],
    playedId: typeof playedId === 'number' ? playedId : null,
  }
}
