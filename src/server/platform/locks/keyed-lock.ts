/** A failure does not block a key. */
export function createKeyedLock() {
  const tails = new Map<string, Promise<unknown>>()
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const before = tails.get(key)
    const result = before ? before.then(work, work) : work()
    const tail = result.catch(() => {})
    tails.set(key, tail)
    try {
      return await result
    } finally {
      if (tails.get(key) === tail) tails.delete(key)
    }
  }
}
