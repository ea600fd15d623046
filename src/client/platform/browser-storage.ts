/** Reads null and writes nothing where storage is forbidden; writes nothing where it is full. */
type BrowserStorage = {
  read: (key: string) => string | null
  write: (key: string, value: string) => void
}

export const deviceStorage = createBrowserStorage(() => localStorage)
export const tabStorage = createBrowserStorage(() => sessionStorage)

/** @param open may throw */
function createBrowserStorage(open: () => Storage): BrowserStorage {
  return {
    read(key) {
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    write(key, value) {
      try {
        open().setItem(key, value)
      } catch {
        // The value lasts as long as the page.
      }
    },
  }
}

/** Empty for anything but an object. */
export function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
