const KEY_PREFIX = 'clutch:upload-tab:'
const TAB_KEY = 'clutch:tab'
/** A tab in the background may run its timers once a minute only. */
const LIFETIME_MS = 90_000

type Entry = { at: number; files: string[] }

/** Says in `storage` which files this tab uploads, and knows those of the other tabs of this browser. */
export function createOtherTabs(storage: Storage | undefined, tab: string) {
  const own = KEY_PREFIX + tab
  const read = (key: string): Entry | undefined => {
    try {
      const entry = JSON.parse(storage?.getItem(key) ?? 'null') as Entry | null
      return entry && Date.now() - entry.at < LIFETIME_MS ? entry : undefined
    } catch {
      return undefined
    }
  }
  let announced: string[] = []
  const announce = (files: string[]) => {
    announced = files
    try {
      if (files.length === 0) storage?.removeItem(own)
      else storage?.setItem(own, JSON.stringify({ at: Date.now(), files } satisfies Entry))
    } catch {
      // A full or forbidden storage: two tabs then share one upload, which the server allows.
    }
  }
  return {
    announce: (files: string[]) => {
      if (files.join('\n') !== announced.join('\n')) announce(files)
    },
    /** Says again what was announced: entries grow old. */
    refresh: () => {
      if (announced.length > 0) announce(announced)
    },
    upload: (file: string): boolean => {
      const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index))
      return keys.some(
        (key) => key?.startsWith(KEY_PREFIX) && key !== own && read(key)?.files.includes(file),
      )
    },
  }
}

/** Names this tab; a reload keeps the name. */
export function tabName(): string {
  try {
    const name = sessionStorage.getItem(TAB_KEY) ?? Math.random().toString(36).slice(2)
    sessionStorage.setItem(TAB_KEY, name)
    return name
  } catch {
    return Math.random().toString(36).slice(2)
  }
}
