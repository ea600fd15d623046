const PREFIX = 'clips:'

/** Value of `?list=` on a clip's page. */
export type ClipQueueSource =
  | { of: 'new' | 'week' | 'mine' | 'none' }
  | { of: 'video' | 'channel'; id: number }
  | { of: 'search'; q: string }

export const NEW_CLIPS = `${PREFIX}new`
export const BEST_CLIPS = `${PREFIX}week`
export const OWN_CLIPS = `${PREFIX}mine`

export const clipsOfVideo = (id: number) => `${PREFIX}video:${id}`
export const clipsOfChannel = (id: number) => `${PREFIX}channel:${id}`
export const foundClips = (q: string) => `${PREFIX}search:${q}`

/** 'none' for other values. */
export function parseClipQueueKey(key: string | undefined): ClipQueueSource {
  const name = key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : ''
  if (name === 'new' || name === 'week' || name === 'mine') return { of: name }
  if (name.startsWith('search:')) {
    const q = name.slice('search:'.length).trim()
    return q === '' ? { of: 'none' } : { of: 'search', q }
  }
  const found = /^(video|channel):([1-9]\d{0,14})$/.exec(name)
  if (!found) return { of: 'none' }
  return { of: found[1] === 'video' ? 'video' : 'channel', id: Number(found[2]) }
}
