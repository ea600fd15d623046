import { EventEmitter } from 'node:events'
import type { Message, MessageBus } from '../cluster/message-bus.ts'
import { createRoomFeed } from './room-feed.ts'
import { createVideoFeed } from './video-feed.ts'

/** Per user, each with a connection. */
const STREAMS_MAX = 10
/** While the bus is down. The oldest are dropped: pages are current after the next load. */
const UNSENT_MAX = 1000

export type LiveTopic = (typeof LIVE_TOPICS)[number]
const LIVE_TOPICS = ['notifications', 'work'] as const

type Listener = (topic: LiveTopic) => void
type LiveMessage = Extract<Message, { topic: 'live' }>

/** Tells open pages what to reload; no content. */
export type LiveFeed = ReturnType<typeof createLiveFeed>

export function createLiveFeed(bus: MessageBus) {
  const changes = new EventEmitter<Record<`user-${number}`, [LiveTopic]>>()
  changes.setMaxListeners(0)
  const streams = new Map<number, Set<AbortController>>()
  const unsent = new Set<LiveMessage>()
  const notifyHere = (userIds: Iterable<number>, topic: LiveTopic) => {
    for (const id of userIds) changes.emit(`user-${id}`, topic)
  }
  const notify = (users: Iterable<number>, topic: LiveTopic) => {
    const userIds = [...new Set(users)]
    if (userIds.length === 0) return
    notifyHere(userIds, topic)
    const message: LiveMessage = { topic: 'live', userIds, about: topic }
    unsent.add(message)
    for (const oldest of unsent) {
      if (unsent.size <= UNSENT_MAX) break
      unsent.delete(oldest)
    }
    publish(message, [message])
  }
  /** Failed messages wait for the reconnect. A disconnected process refreshes its pages. */
  function publish(message: LiveMessage, of: LiveMessage[]): void {
    bus.publish(message).then(
      () => {
        for (const one of of) unsent.delete(one)
      },
      () => {},
    )
  }
  /** May repeat a message, harmlessly. */
  function publishUnsent(): void {
    for (const about of LIVE_TOPICS) {
      const of = [...unsent].filter((message) => message.about === about)
      const userIds = [...new Set(of.flatMap((message) => message.userIds))]
      if (of.length > 0) publish({ topic: 'live', userIds, about }, of)
    }
  }
  bus.onMessage((message) => {
    if (message.topic === 'live') notifyHere(message.userIds, message.about)
  })
  bus.onReconnect(() => {
    for (const topic of LIVE_TOPICS) notifyHere(streams.keys(), topic)
    publishUnsent()
  })
  return {
    videos: createVideoFeed(bus),
    rooms: createRoomFeed(bus),
    announce: (userIds: Iterable<number>) => notify(userIds, 'notifications'),
    announceWork: (userIds: Iterable<number>) => notify(userIds, 'work'),
    /**
     * Beyond 10 streams of a user the oldest ends.
     * @returns aborts at its end
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
