type Key = number | string

/** At most `permitsPerKey` permits per key. Waiting keys take turns, whatever waits of each. */
export function createFairSemaphore(options: { permits: number; permitsPerKey: number }) {
  let free = options.permits
  const running = new Map<Key, number>()
  const waiting = new Map<Key, (() => void)[]>()

  function admit(): void {
    for (const [key, [begin, ...others]] of waiting) {
      if (free === 0) return
      const count = running.get(key) ?? 0
      if (!begin || count >= options.permitsPerKey) continue
      waiting.delete(key)
      if (others.length > 0) waiting.set(key, others)
      running.set(key, count + 1)
      free--
      begin()
    }
  }

  function leave(key: Key): void {
    const count = (running.get(key) ?? 1) - 1
    if (count > 0) running.set(key, count)
    else running.delete(key)
    free++
    admit()
  }

  return async <Result>(key: Key, work: () => Promise<Result>): Promise<Result> => {
    await new Promise<void>((begin) => {
      waiting.set(key, [...(waiting.get(key) ?? []), begin])
      admit()
    })
    try {
      return await work()
    } finally {
      leave(key)
    }
  }
}
