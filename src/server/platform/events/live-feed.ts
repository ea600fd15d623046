import { EventEmitter } from 'node:events'
import type { Line, Message } from '../db/line.ts'

/** Each holds a connection; a page that is not shown has none. */
const STREAMS_MAX = 10
/** Messages that wait for the line to be back; of more the oldest are dropped, and their pages show it when they next load. */
const UNTOLD_MAX = 1000

/** What may have changed: a user's notifications, or how far the work on their videos is. */
export type LiveTopic = (typeof LIVE_TOPICS)[number]
const LIVE_TOPICS = ['notifications', 'work'] as const

type Listener = (topic: LiveTopic) => void
type LiveMessage = Extract<Message, { topic: 'live' }>

/** Notifies open pages that something of a user's changed; it carries no content, so nothing can be lost. */
export type LiveFeed = ReturnType<typeof createLiveFeed>

/** @param line to the other processes of the site, whose pages are notified, too */
export function createLiveFeed(line: Line) {
  const changes = new EventEmitter<Record<`user-${number}`, [LiveTopic]>>()
  changes.setMaxListeners(0)
  const streams = new Map<number, Set<AbortController>>()
  const untold = new Set<LiveMessage>()
  const notifyHere = (userIds: Iterable<number>, topic: LiveTopic) => {
    for (const id of userIds) changes.emit(`user-${id}`, topic)
  }
  const notify = (given: Iterable<number>, topic: LiveTopic) => {
    const userIds = [...new Set(given)]
    if (userIds.length === 0) return
    notifyHere(userIds, topic)
    const message: LiveMessage = { topic: 'live', userIds, about: topic }
    untold.add(message)
    for (const oldest of untold) {
      if (untold.size <= UNTOLD_MAX) break
      untold.delete(oldest)
    }
    tell(message, [message])
  }
  /** What the line does not carry now waits until it is back; a process whose own line is away reads all again by itself. */
  function tell(message: LiveMessage, of: LiveMessage[]): void {
    line.tell(message).then(
      () => {
        for (const one of of) untold.delete(one)
      },
      () => {},
    )
  }
  /** Some of it may have been heard, or is under way: to be told twice does no harm. */
  function tellUntold(): void {
    for (const about of LIVE_TOPICS) {
      const of = [...untold].filter((message) => message.about === about)
      const userIds = [...new Set(of.flatMap((message) => message.userIds))]
      if (of.length > 0) tell({ topic: 'live', userIds, about }, of)
    }
  }
  line.listen((message) => {
    if (message.topic === 'live') notifyHere(message.userIds, message.about)
  })
  line.listenForGaps(() => {
    for (const topic of LIVE_TOPICS) notifyHere(streams.keys(), topic)
    tellUntold()
  })
  return {
    announce: (userIds: Iterable<number>) => notify(userIds, 'notifications'),
    announceWork: (userIds: Iterable<number>) => notify(userIds, 'work'),
    /**
     * Calls `listener` at each change until `signal` aborts. Of more than 10 streams of a user the
     * oldest ends.
     * @returns a signal that aborts when this one has ended
     */
    listen(userId: number, input: { listener: Listener; signal: AbortSignal }): AbortSignal {
      const stream = new AbortController()
      const ended = AbortSignal.any([input.signal, stream.signal])
      if (ended.aborted) return ended
      const open = streams.get(userId) ?? new Set()
      streams.set(userId, open.add(stream))
      changes.on(`user-${userId}`, input.listener)
      const end = () => {
        changes.off(`user-${userId}`, input.listener)
        open.delete(stream)
        if (open.size === 0) streams.delete(userId)
      }
      ended.addEventListener('abort', end, { once: true })
      const [oldest] = open
      if (open.size > STREAMS_MAX) oldest?.abort()
      return ended
    },
  }
}
