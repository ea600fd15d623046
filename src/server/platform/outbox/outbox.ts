/**
 * Sends the rows of a table of messages that are due. A node claims a row by moving its time ahead, so that no other
 * node sends it meanwhile, and another node sends it if this one is killed.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, timestamp } from '../db/database.ts'
import { isWritable } from '../db/move/writable.ts'
import { claimRow, type OutboxTable } from './outbox.queries.ts'

export type OutboxLog = Record<'info' | 'warn', (details: object, message: string) => void>

/** A row that is due. */
type DueRow = { id: number; nextAt: string | null }

export type OutboxOptions<Row extends DueRow> = {
  db: Database
  log: OutboxLog
  /** Aborts attempts. Their rows are sent later. */
  deadline: AbortSignal
  table: OutboxTable
  /** Names the messages in the log. */
  noun: string
  /** Milliseconds until another node may take a row, in case the node that claimed it was killed. */
  leaseMs: number
  pollMs: number
  /** Rows of one lane are sent one after another. */
  laneOf: (row: Row) => number
  lanes: number
  /** @param input.busy lanes that are sending */
  findDue: (db: Database, input: { now: string; busy: number[] }) => Promise<Row | undefined>
  /**
   * Deletes, settles or postpones the row.
   * @returns whether further rows can be sent now
   * @throws only if the row is to be sent again after its lease
   */
  attempt: (row: Row) => Promise<boolean>
}

export type Outbox = {
  /** Starts sending at once. Without it, rows wait for the next poll. */
  wake: () => void
  /** Sends all rows that are due, and stops if an attempt says so. */
  deliver: () => Promise<void>
  /** @returns a function that stops the outbox and waits for messages that are being sent */
  start: () => () => Promise<void>
}

export function createOutbox<Row extends DueRow>(options: OutboxOptions<Row>): Outbox {
  const { db, log, deadline, table, noun, leaseMs, pollMs, laneOf, lanes } = options
  const ending = new AbortController()
  // The outbox must not run in the context of the request that wakes it.
  const outsideRequests = AsyncLocalStorage.snapshot()
  let isStarted = false
  let isAsked = false
  let running = Promise.resolve()
  let woken = Promise.withResolvers<void>()

  const isOpen = async () => !ending.signal.aborted && !deadline.aborted && (await isWritable(db))

  async function deliver(): Promise<void> {
    const busy = new Map<number, Promise<void>>()
    let goesOn = true
    const failures: unknown[] = []
    const begin = (row: Row) => {
      const lane = laneOf(row)
      const attempt = options.attempt(row).then(
        (canGoOn) => {
          goesOn &&= canGoOn
        },
        (error) => void failures.push(error),
      )
      busy.set(
        lane,
        attempt.finally(() => busy.delete(lane)),
      )
    }
    try {
      while (goesOn && failures.length === 0 && (await isOpen())) {
        const { promise: change } = woken
        const input = { now: timestamp(), busy: [...busy.keys()] }
        const row = busy.size < lanes ? await options.findDue(db, input) : undefined
        if (row) {
          const until = timestamp(new Date(Date.now() + leaseMs))
          const claim = { id: row.id, nextAt: row.nextAt ?? '', until }
          if (await claimRow(db, table, claim)) begin(row)
        } else if (busy.size > 0) {
          await Promise.race([change, ...busy.values()])
        } else {
          return
        }
      }
    } finally {
      await Promise.all(busy.values())
    }
    if (failures.length > 0) throw failures[0]
  }

  const wake = () => {
    if (!isStarted || ending.signal.aborted) return
    woken.resolve()
    woken = Promise.withResolvers()
    if (isAsked) return
    isAsked = true
    running = running
      .then(() => {
        isAsked = false
        return outsideRequests(deliver)
      })
      .catch((error) => {
        if (!deadline.aborted)
          log.warn({ err: error }, `${noun} could not be sent; it is tried again`)
      })
  }

  return {
    wake,
    deliver,
    start() {
      isStarted = true
      const { signal } = ending
      const poll = async () => {
        while (!signal.aborted) {
          wake()
          await pause(pollMs, undefined, { signal }).catch(() => {})
        }
      }
      const polling = poll()
      return async () => {
        ending.abort()
        woken.resolve()
        await Promise.all([polling, running])
      }
    },
  }
}

export function joinOutboxes(outboxes: readonly Outbox[]): Outbox {
  return {
    wake() {
      for (const outbox of outboxes) outbox.wake()
    },
    async deliver() {
      await Promise.all(outboxes.map((outbox) => outbox.deliver()))
    },
    start() {
      const stops = outboxes.map((outbox) => outbox.start())
      return async () => {
        await Promise.all(stops.map((stop) => stop()))
      }
    },
  }
}
