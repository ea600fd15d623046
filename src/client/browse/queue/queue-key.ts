import { type SearchAddress, toSearchInput, toSort } from '../search/search-address.ts'
import { toCategory } from '../video/list/category.ts'

/** Value of `?list=` on a watch page. */
type QueueSource =
  | { kind: 'playlist'; id: number }
  | { kind: 'watch-later' | 'liked' | 'history' | 'queue' | 'none' }
  | { kind: 'channel'; id: number }
  | { kind: 'search'; input: NonNullable<ReturnType<typeof toSearchInput>> }

/** Made by hand. */
export const OWN_QUEUE = 'queue'

export const HISTORY_QUEUE = 'history'

export const channelQueue = (id: number) => `channel:${id}`

export function searchQueue(address: SearchAddress): string {
  const { q = '', category, sort } = address
  const parts = { q, ...(category && { category }), ...(sort && { sort }) }
  return `search:${new URLSearchParams(parts)}`
}

/** 'none' for other values. */
export function parseQueueKey(key: string | undefined): QueueSource {
  if (key === undefined) return { kind: 'none' }
  if (key === 'watch-later' || key === 'liked' || key === HISTORY_QUEUE || key === OWN_QUEUE) {
    return { kind: key }
  }
  if (key.startsWith('search:')) {
    const search = new URLSearchParams(key.slice('search:'.length))
    const [category, sort] = [toCategory(search.get('category')), toSort(search.get('sort'))]
    const input = toSearchInput({
      q: search.get('q') ?? '',
      ...(category && { category }),
      ...(sort && { sort }),
    })
    return input ? { kind: 'search', input } : { kind: 'none' }
  }
  const found = /^(channel:)?([1-9]\d{0,14})$/.exec(key)
  if (!found) return { kind: 'none' }
  return { kind: found[1] ? 'channel' : 'playlist', id: Number(found[2]) }
}
