type Waiting = { kind: string; begin: () => void; refuse: (error: Error) => void }

/** Equals the message of pg, so that both errors are handled alike. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect'
/** Longer than a lock timeout: a kind stays marked while its calls time out. */
const MARKED_MS = 5000
/** The share of all marked kinds. No route or procedure has this name. */
const MARKED = '(waiting for locks)'

/**
 * Limits how many connections one kind of call holds, so that calls waiting for a locked table leave some to others.
 * A lock timeout marks a kind for `MARKED_MS`; marked kinds share one limit, as they may need the same table. A free
 * connection goes to the kind that holds fewest: of many kinds that need a locked table, each would take its share.
 * @param options.waitMs for a connection
 */
export function createConnectionShares(options: {
  connections: number
  perKind: number
  waitMs: number
}) {
  const held = new Map<string, number>()
  let total = 0
  const waiting = new Map<string, Set<Waiting>>()
  const markedUntil = new Map<string, number>()

  function shareOf(kind: string): string {
    const until = markedUntil.get(kind)
    if (until === undefined) return kind
    if (performance.now() < until) return MARKED
    markedUntil.delete(kind)
    return kind
  }

  const countOf = (share: string) => held.get(share) ?? 0

  function hold(share: string): void {
    held.set(share, countOf(share) + 1)
    total++
  }

  function leave(share: string): void {
    const count = countOf(share) - 1
    if (count > 0) held.set(share, count)
    else held.delete(share)
    total--
    admit()
  }

  function admit(): void {
    const open = [...waiting.keys()].filter((share) => countOf(share) < options.perKind)
    const [share, ...others] = open
    if (share === undefined || total >= options.connections) return
    const least = others.reduce(
      (one, other) => (countOf(other) < countOf(one) ? other : one),
      share,
    )
    const queue = waiting.get(least) ?? new Set()
    // The next turn is another's.
    waiting.delete(least)
    waiting.set(least, queue)
    const [next] = queue
    hold(least)
    next?.begin()
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
      if (countOf(share) < options.perKind && total < options.connections) hold(share)
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
