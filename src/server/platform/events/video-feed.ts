import { randomUUID } from 'node:crypto'
import type { ReactionKind } from '#shared/reactions.ts'
import { type Message, type MessageBus, VIDEO_TOPICS } from '../cluster/message-bus.ts'
import { addTo, removeFrom } from './sets-by-key.ts'
import { createStreamLimit } from './stream-limit.ts'

export type VideoTopic = (typeof VIDEO_TOPICS)[number]
export type VideoNews = {
  changed: readonly VideoTopic[]
  /** Undefined if the number of people who watch has not changed. */
  watching: number | undefined
  reactions: readonly LiveReaction[]
}
export type LiveReaction = [kind: ReactionKind, second: number]
type VideoMessage = Extract<Message, { topic: 'video' }>
type WatchingMessage = Extract<Message, { topic: 'watching' }>

/** Changes within this time are sent together. */
const GATHER_MS = 150
const REACTIONS_MAX = 20
const TELL_OTHERS_MS = 1000
const REPEAT_MS = 30_000
/** A node is considered gone after it has missed three messages. */
const EXPIRES_MS = 100_000
/** A notification of PostgreSQL has at most 8000 bytes. */
const VIDEOS_PER_MESSAGE = 40
const MEMBERS_MAX = 20

type Watcher = {
  /** All windows of one person have the same key, so the person counts once. */
  key: string
  /** Set only for a member who shows their presence. */
  shownId: number | undefined
  /** The number of streams is limited per network. */
  network: string
}
type Watch = Watcher & { videoId: number }
/** How many streams each person, and each member who shows their presence, has open of a video. */
type Audience = { people: Map<string, number>; shown: Map<number, number> }
type Pending = { changed: Set<VideoTopic | 'watching'>; reactions: LiveReaction[]; isOwn: boolean }
type Watching = { count: number; memberIds: readonly number[] }

/**
 * Tells open pages of a video what to reload and which reactions came, and keeps in memory who has
 * a page open. See docs/decisions/0073-reactions.md.
 */
export type VideoFeed = ReturnType<typeof createVideoFeed>

export function createVideoFeed(bus: MessageBus) {
  const node = randomUUID()
  const listeners = new Map<number, Set<(news: VideoNews) => void>>()
  const audiences = new Map<number, Audience>()
  const limit = createStreamLimit()
  const others = new Map<string, { heardAt: number; videos: Map<number, Watching> }>()
  const pending = new Map<number, Pending>()
  const untold = new Set<number>()
  let repeating: NodeJS.Timeout | undefined

  function gather(videoId: number, isOwn: boolean): Pending {
    const known = pending.get(videoId) ?? { changed: new Set(), reactions: [], isOwn: false }
    known.isOwn ||= isOwn
    if (pending.size === 0) setTimeout(deliver, GATHER_MS).unref()
    pending.set(videoId, known)
    return known
  }

  function deliver(): void {
    const all = [...pending]
    pending.clear()
    for (const [videoId, { changed, reactions, isOwn }] of all) {
      const topics = VIDEO_TOPICS.filter((topic) => changed.has(topic))
      const count = changed.has('watching') ? watching(videoId).count : undefined
      for (const listener of listeners.get(videoId) ?? []) {
        listener({ changed: topics, reactions, watching: count })
      }
      if (isOwn && (topics.length > 0 || reactions.length > 0)) {
        send({ topic: 'video', videoId, changed: topics, reactions })
      }
    }
  }

  function send(message: VideoMessage | WatchingMessage): void {
    // If the message is lost, pages on other nodes show the change with their next load.
    bus.publish(message).catch(() => {})
  }

  function addReactions(to: Pending, reactions: readonly LiveReaction[]): void {
    to.reactions.push(...reactions.slice(0, REACTIONS_MAX - to.reactions.length))
  }

  function watchingHere(videoId: number): Watching {
    const here = audiences.get(videoId)
    if (!here) return { count: 0, memberIds: [] }
    const memberIds: number[] = []
    for (const id of here.shown.keys()) {
      if (memberIds.length === MEMBERS_MAX) break
      memberIds.push(id)
    }
    return { count: here.people.size, memberIds }
  }

  /** @param by 1 for a stream that opens, -1 for one that ends */
  function countStream({ videoId, key, shownId }: Watch, by: 1 | -1): void {
    const { people, shown } = audiences.get(videoId) ?? { people: new Map(), shown: new Map() }
    change(people, key, by)
    if (shownId !== undefined) change(shown, shownId, by)
    if (people.size > 0) audiences.set(videoId, { people, shown })
    else audiences.delete(videoId)
  }

  /**
   * Counts people on all nodes. `memberIds` has at most 20 members of each node who show their
   * presence.
   */
  function watching(videoId: number): Watching {
    const here = watchingHere(videoId)
    if (others.size === 0) return here
    forgetSilentNodes()
    const all = [here]
    for (const { videos } of others.values()) {
      const there = videos.get(videoId)
      if (there) all.push(there)
    }
    return {
      count: all.reduce((sum, { count }) => sum + count, 0),
      memberIds: [...new Set(all.flatMap(({ memberIds }) => memberIds))],
    }
  }

  function tellOthers(videoIds: readonly number[]): void {
    for (let at = 0; at < videoIds.length; at += VIDEOS_PER_MESSAGE) {
      const videos = videoIds.slice(at, at + VIDEOS_PER_MESSAGE).map((videoId) => {
        const { count, memberIds } = watchingHere(videoId)
        return { videoId, count, memberIds: [...memberIds] }
      })
      send({ topic: 'watching', node, videos })
    }
  }

  function tellLater(): void {
    const told = [...untold]
    untold.clear()
    tellOthers(told)
  }

  function noteWatching(videoId: number): void {
    gather(videoId, false).changed.add('watching')
    if (untold.size === 0) setTimeout(tellLater, TELL_OTHERS_MS).unref()
    untold.add(videoId)
    if (audiences.size === 0) {
      clearInterval(repeating)
      repeating = undefined
    } else {
      repeating ??= setInterval(() => tellOthers([...audiences.keys()]), REPEAT_MS).unref()
    }
  }

  function forgetSilentNodes(): void {
    const before = performance.now() - EXPIRES_MS
    for (const [name, { heardAt }] of others) if (heardAt < before) others.delete(name)
  }

  bus.onMessage((message) => {
    if (message.topic === 'video') {
      const known = gather(message.videoId, false)
      for (const topic of message.changed) known.changed.add(topic)
      addReactions(known, message.reactions)
    } else if (message.topic === 'watching') {
      forgetSilentNodes()
      const known = others.get(message.node)?.videos ?? new Map<number, Watching>()
      for (const { videoId, ...watching } of message.videos) {
        const before = known.get(videoId)
        if (watching.count > 0) known.set(videoId, watching)
        else known.delete(videoId)
        const isSame =
          (before?.count ?? 0) === watching.count &&
          String(before?.memberIds ?? []) === String(watching.memberIds)
        if (!isSame && listeners.has(videoId)) gather(videoId, false).changed.add('watching')
      }
      others.set(message.node, { heardAt: performance.now(), videos: known })
    }
  })
  bus.onReconnect(() => {
    for (const videoId of listeners.keys()) {
      const { changed } = gather(videoId, false)
      for (const topic of VIDEO_TOPICS) changed.add(topic)
    }
    tellOthers([...audiences.keys()])
  })

  return {
    announce(videoId: number, ...topics: VideoTopic[]): void {
      const { changed } = gather(videoId, true)
      for (const topic of topics) changed.add(topic)
    },

    announceReaction(videoId: number, reaction: LiveReaction): void {
      addReactions(gather(videoId, true), [reaction])
    },

    watching,

    hasRoomFor: limit.hasRoomFor,

    /**
     * Counts the watcher until the stream ends. When a member exceeds 10 streams, the oldest ends.
     * @returns a signal that aborts when the stream ends
     */
    listen(
      videoId: number,
      input: Watcher & { listener: (news: VideoNews) => void; signal: AbortSignal },
    ): AbortSignal {
      const { listener, signal, ...watcher } = input
      const ended = limit.begin({ ...watcher, signal })
      if (ended.aborted) return ended
      const watch: Watch = { ...watcher, videoId }
      addTo(listeners, videoId, listener)
      countStream(watch, 1)
      const end = () => {
        removeFrom(listeners, videoId, listener)
        countStream(watch, -1)
        noteWatching(videoId)
      }
      ended.addEventListener('abort', end, { once: true })
      noteWatching(videoId)
      return ended
    },

    /**
     * Listens without counting as somebody who watches.
     * @returns a function that stops listening
     */
    hear(videoId: number, listener: (news: VideoNews) => void): () => void {
      addTo(listeners, videoId, listener)
      return () => removeFrom(listeners, videoId, listener)
    },
  }
}

function change<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
