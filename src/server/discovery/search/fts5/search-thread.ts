import { Worker } from 'node:worker_threads'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { Suggestion } from '#shared/schemas/search.schemas.ts'
import type {
  RankedTag,
  RankedVideo,
  Ranking,
  RankingQuery,
} from '../../ranking/ranking.queries.ts'
import { busySearch, SEARCHES_WAITING_MAX } from '../busy-search.ts'
import type { FindChannels } from '../find-channels.ts'
import type { FindSuggestions } from '../find-suggestions.ts'
import type { FindVideos, FoundVideos } from '../find-videos.ts'
import type { FoundChannel } from '../search.queries.ts'
import type { SearchReply, SearchRequest } from './search-worker.ts'

const SCRIPT = new URL('./search-worker.ts', import.meta.url)
const ANSWER_MS = 15_000
const IDLE_MS = 5 * 60_000
const MEMORY_MB = 160
/** A search's memory is mostly garbage at once. */
const YOUNG_MB = 8
const ATTEMPTS = 2

type Question = SearchRequest extends infer Request
  ? Request extends { id: number }
    ? Omit<Request, 'id'>
    : never
  : never

type Waiting = {
  question: Question
  attempts: number
  resolve: (answer: never) => void
  reject: (error: unknown) => void
}

/**
 * Runs from the first question until five minutes without one. A question on which the thread died is retried
 * once.
 */
export function createSearchThread(input: { dataFolder: string }) {
  const waiting = new Map<number, Waiting>()
  const replies: SearchReply[] = []
  let worker: Worker | undefined
  let lastId = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(SCRIPT, {
      workerData: input,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    started.unref()
    started.on('message', (reply: SearchReply) => {
      if (replies.push(reply) === 1) setImmediate(settleNext)
    })
    started.on('error', () => {})
    started.on('exit', () => {
      if (worker === started) worker = undefined
      if (!worker) askAgain()
    })
    return started
  }

  function askAgain(): void {
    for (const [id, entry] of waiting) {
      if (stopped || entry.attempts >= ATTEMPTS) {
        waiting.delete(id)
        entry.reject(busySearch())
      } else post(id, entry)
    }
    watch()
  }

  function post(id: number, entry: Waiting): void {
    entry.attempts += 1
    worker ??= start()
    worker.postMessage({ id, ...entry.question })
  }

  /** One per turn of the event loop, so that many do not block it. */
  function settleNext(): void {
    const reply = replies.shift()
    if (reply) settle(reply)
    if (replies.length > 0) setImmediate(settleNext)
  }

  function settle(reply: SearchReply): void {
    const entry = waiting.get(reply.id)
    if (!entry) return
    waiting.delete(reply.id)
    watch()
    if ('error' in reply) entry.reject(reply.error)
    else entry.resolve(reply.answer as never)
  }

  function watch(): void {
    clearTimeout(timer)
    if (!worker) return
    timer = setTimeout(() => void worker?.terminate(), waiting.size > 0 ? ANSWER_MS : IDLE_MS)
    timer.unref()
  }

  function ask<Answer>(question: Question): Promise<Answer> {
    if (stopped || waiting.size >= SEARCHES_WAITING_MAX) return Promise.reject(busySearch())
    return new Promise<Answer>((resolve, reject) => {
      const entry: Waiting = { question, attempts: 0, resolve, reject }
      const id = ++lastId
      waiting.set(id, entry)
      post(id, entry)
      if (waiting.size === 1) watch()
    })
  }

  return {
    /** @throws `busy` when too many wait or the thread cannot answer */
    findVideos: (input: FindVideos) => ask<FoundVideos>({ kind: 'videos', input }),

    /** @throws `busy` */
    findSuggestions: (input: FindSuggestions) => ask<Suggestion[]>({ kind: 'suggestions', input }),

    /** @throws `busy` */
    findChannels: (input: FindChannels) => ask<FoundChannel[]>({ kind: 'channels', input }),

    /** @throws `busy` */
    rankVideos: (input: RankingQuery) => ask<Ranking<RankedVideo>>({ kind: 'ranking', input }),

    /** @throws `busy` */
    rankTags: (input: Audience) => ask<Ranking<RankedTag>>({ kind: 'tags', input }),

    thread: () => worker,

    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await worker?.terminate()
    },
  }
}
