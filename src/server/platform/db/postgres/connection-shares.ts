type Waiting = { begin: () => void; refuse: (error: Error) => void }

/** As pg says it of a connection, so that it is answered in the same way. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect'

/**
 * Lets each kind of call hold a part of a node's connections, so that calls that all wait for one locked table leave some
 * to the others.
 * @param options.waitMs how long a call waits for one of its kind to give a connection back
 */
export function createConnectionShares(options: { perKind: number; waitMs: number }) {
  const held = new Map<string, number>()
  const waiting = new Map<string, Set<Waiting>>()

  function leave(kind: string): void {
    const [next] = waiting.get(kind) ?? []
    const count = (held.get(kind) ?? 1) - 1
    if (next) next.begin()
    else if (count > 0) held.set(kind, count)
    else held.delete(kind)
  }

  async function wait(kind: string): Promise<void> {
    const turn = Promise.withResolvers<void>()
    const queue = waiting.get(kind) ?? new Set()
    // It leaves the queue in the step that decides, so that no turn is handed to one that has failed.
    const end = () => {
      clearTimeout(late)
      queue.delete(own)
      if (queue.size === 0) waiting.delete(kind)
    }
    const own: Waiting = {
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
    waiting.set(kind, queue.add(own))
    await turn.promise
  }

  return {
    /** @returns what gives the share back; resolves once there is one */
    async take(kind: string): Promise<() => void> {
      const count = held.get(kind) ?? 0
      if (count < options.perKind) held.set(kind, count + 1)
      else await wait(kind)
      return () => leave(kind)
    },

    /** Has those fail that wait behind a call whose statement waited for a lock in vain: theirs would as well. */
    refuse(kind: string, error: Error): void {
      for (const one of [...(waiting.get(kind) ?? [])]) one.refuse(error)
    },
  }
}
