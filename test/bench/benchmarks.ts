import type { Benchmark } from './benchmark.ts'
import { busy } from './busy.ts'
import { comments } from './comments.ts'
import { everyQuery } from './every-query.ts'
import { farAway } from './far-away.ts'
import { firstRendition } from './first-rendition.ts'
import { freshStart, freshStartMillion } from './fresh-start.ts'
import { growth } from './growth.ts'
import { homeList } from './home-list.ts'
import { ladder } from './ladder.ts'
import { largeWrites } from './large-writes.ts'
import { media } from './media.ts'
import { memberReads } from './member-reads.ts'
import { memoryLoad } from './memory-load.ts'
import { oneVideo } from './one-video.ts'
import { pageWeight } from './page-weight.ts'
import { paint } from './paint.ts'
import { playable } from './playable.ts'
import { postgresGrowth } from './postgres/growth.ts'
import { postgresMemberReads } from './postgres/member-reads.ts'
import { nodes } from './postgres/nodes.ts'
import { postgresSearch } from './postgres/search.ts'
import { scrolling } from './scrolling.ts'
import { search, searchMillion } from './search.ts'
import { seek } from './seek.ts'
import { startOfPlayback } from './start-of-playback.ts'
import { startMillion, startUp } from './start-up.ts'
import { upload } from './upload.ts'
import { webhooks } from './webhooks.ts'
import { remotePlayable } from './workers/remote-playable.ts'
import { workerHomeList } from './workers/worker-home-list.ts'
import { workerLadders } from './workers/worker-ladders.ts'

/** All there are, in the order they are run. */
export const BENCHMARKS: Benchmark[] = [
  homeList,
  oneVideo,
  comments,
  growth,
  search,
  searchMillion,
  memberReads,
  everyQuery,
  largeWrites,
  busy,
  webhooks,
  media,
  upload,
  playable,
  firstRendition,
  ladder,
  workerLadders,
  workerHomeList,
  remotePlayable,
  nodes,
  postgresGrowth,
  postgresSearch,
  postgresMemberReads,
  startOfPlayback,
  seek,
  pageWeight,
  paint,
  farAway,
  scrolling,
  startUp,
  memoryLoad,
  startMillion,
  freshStart,
  freshStartMillion,
]
