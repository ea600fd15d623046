const KEY_PREFIX = 'clutch:upload-tab:'
const TAB_KEY = 'clutch:tab'
/** Background tabs may run timers once a minute. */
const LIFETIME_MS = 90_000

type Entry = { at: number; files: string[] }

/** Shares file names between tabs, so that each file is uploaded by one. */
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
      // Without storage two tabs share an upload, which the server allows.
    }
  }
  return {
    announce: (files: string[]) => {
      if (files.join('\n') !== announced.join('\n')) announce(files)
    },
    /** Entries expire. */
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

/** Survives a reload. */
export function tabName(): string {
  try {
    const name = sessionStorage.getItem(TAB_KEY) ?? Math.random().toString(36).slice(2)
    sessionStorage.setItem(TAB_KEY, name)
    return name
  } catch {
    return Math.random().toString(36).slice(2)
  }
}
