/** Its own connection sees the commits before a question. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import { type RankingQuery, rankTags, rankVideos } from '../../ranking/ranking.queries.ts'
import { type FindChannels, findChannels } from '../find-channels.ts'
import { type FindSuggestions, findSuggestions } from '../find-suggestions.ts'
import { type FindVideos, findVideos } from '../find-videos.ts'
import { createSearchIndex } from './match-sets.ts'

export type SearchRequest = { id: number } & (
  | { kind: 'videos'; input: FindVideos }
  | { kind: 'suggestions'; input: FindSuggestions }
  | { kind: 'channels'; input: FindChannels }
  | { kind: 'ranking'; input: RankingQuery }
  | { kind: 'tags'; input: Audience }
)

export type SearchReply = { id: number; answer: unknown } | { id: number; error: unknown }

const db = openDatabaseToRead((workerData as { dataFolder: string }).dataFolder)
const index = createSearchIndex(db)
let last: Promise<void> = Promise.resolve()

// One at a time: they share the cache.
parentPort?.on('message', (request: SearchRequest) => {
  last = last.then(() => reply(request))
})

async function reply(request: SearchRequest): Promise<void> {
  const { id } = request
  try {
    send({ id, answer: await answer(request) })
  } catch (error) {
    send({ id, error })
  }
}

function answer(request: SearchRequest) {
  switch (request.kind) {
    case 'videos':
      return findVideos(index, request.input)
    case 'suggestions':
      return findSuggestions({ index, db }, request.input)
    case 'channels':
      return findChannels({ index, db }, request.input)
    case 'ranking':
      return rankVideos(db, request.input)
    case 'tags':
      return rankTags(db, request.input)
  }
}

function send(reply: SearchReply): void {
  parentPort?.postMessage(reply)
}
