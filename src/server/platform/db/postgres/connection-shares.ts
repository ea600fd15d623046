type Waiting = { kind: string; begin: () => void; refuse: (error: Error) => void }

/** Like pg's, so that both are handled alike. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect'
/** Longer than a lock timeout: a kind stays marked while its calls time out. */
const MARKED_MS = 5000
/** Shared by marked kinds; no route or noun has this name. */
const MARKED = '(waiting for locks)'

/**
 * Limits the connections of a kind of call, so that those waiting for a locked table leave some to
 * others. A lock timeout marks a kind for `MARKED_MS`; marked kinds share a limit, as they may need
 * the same table.
 * @param options.waitMs for a connection
 */
export function createConnectionShares(options: { perKind: number; waitMs: number }) {
  const held = new Map<string, number>()
  const waiting = new Map<string, Set<Waiting>>()
  const markedUntil = new Map<string, number>()

  function shareOf(kind: string): string {
    const until = markedUntil.get(kind)
    if (until === undefined) return kind
    if (performance.now() < until) return MARKED
    markedUntil.delete(kind)
    return kind
  }

  function leave(share: string): void {
    const [next] = waiting.get(share) ?? []
    const count = (held.get(share) ?? 1) - 1
    if (next) next.begin()
    else if (count > 0) held.set(share, count)
    else held.delete(share)
  }

  async function wait(share: string, kind: string): Promise<void> {
    const turn = Promise.withResolvers<void>()
    const queue = waiting.get(share) ?? new Set()
    // At once, so that a failed call gets no connection.
    const end = () => {
      clearTimeout(late)
      queue.delete(own)
      if (queue.size === 0) waiting.delete(share)
    }
    const own: Waiting = {
      kind,
      begin() {
        end()
        turn.resolve()
      },
      refuse(error) {
        end()
        turn.reject(error)
      },
    }
    const late = setTimeout(() => own.refuse(new Error(WAITED_TOO_LONG)), options.waitMs)
    waiting.set(share, queue.add(own))
    await turn.promise
  }

  return {
    /** @returns a function that releases it */
    async take(kind: string): Promise<() => void> {
      const share = shareOf(kind)
      const count = held.get(share) ?? 0
      if (count < options.perKind) held.set(share, count + 1)
      else await wait(share, kind)
      return () => leave(share)
    },

    /** Marks the kind and fails its waiting calls, which would time out as well. */
    refuse(kind: string, error: Error): void {
      markedUntil.set(kind, performance.now() + MARKED_MS)
      for (const queue of [...waiting.values()]) {
        for (const one of [...queue]) if (one.kind === kind) one.refuse(error)
      }
    },
  }
}
