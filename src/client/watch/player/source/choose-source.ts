import { rememberedPlayer } from '../core/player-memory.ts'
import { picksStream, playsHlsItself } from './hls-support.ts'
import type { SourceKind } from './source.ts'

/** A server that answers this fast is on the same network, or as good as. */
const NEAR_MS = 25
/** Less than this, measured earlier, is no connection for whole files. */
const AMPLE_BANDWIDTH = 25_000_000
/** A file may have this many times the lines that can be seen of it. */
const MAX_LINES_WASTED = 2.2

type Situation = {
  hasHls: boolean
  /** hls.js does it here, or the browser by itself. */
  hls: 'stream' | 'native' | 'none'
  quality: number | 'auto'
  /** Bits per second as last measured. */
  bandwidth: number | null
  /** Milliseconds of the fastest answer so far. */
  answerMs: number | null
  /** Short sides, in device pixels: of the file, and of the player. */
  fileLines: number | null
  playerLines: number
}

/**
 * What to begin with. The file starts quickest, and is right where the connection is ample and the
 * picture not much larger than the player; the renditions fit everything else.
 * See docs/decisions/0012-the-player.md.
 */
export function chooseSource(situation: Situation): SourceKind {
  const { hasHls, hls, quality, bandwidth, answerMs, fileLines, playerLines } = situation
  if (!hasHls || hls === 'none') return 'progressive'
  if (hls === 'native') return 'native-hls'
  const fits = fileLines !== null && fileLines <= playerLines * MAX_LINES_WASTED
  return fits && beginsWithFile({ quality, bandwidth, answerMs }) ? 'progressive' : 'hls'
}

/** As far as the viewer's choice and the connection go. */
function beginsWithFile({
  quality,
  bandwidth,
  answerMs = fastestAnswerMs(),
}: Pick<Situation, 'quality' | 'bandwidth'> & { answerMs?: number | null }): boolean {
  const isNear = answerMs !== null && answerMs <= NEAR_MS
  const isAmple = bandwidth === null ? isNear : bandwidth >= AMPLE_BANDWIDTH
  return quality === 'auto' && isAmple
}

/** How fast the server has answered this page at best, in milliseconds; null when that is not known. */
function fastestAnswerMs(): number | null {
  // The page itself is the first resource that the server is asked for.
  const waits = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ]
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    // What came out of the browser's own cache says nothing.
    .filter(({ transferSize, requestStart }) => transferSize > 0 && requestStart > 0)
    .map(({ requestStart, responseStart }) => responseStart - requestStart)
    .filter((wait) => wait > 0)
  return waits.length > 0 ? Math.min(...waits) : null
}

/** What a video begins with in this browser, for this viewer. */
export function firstSource(
  input: Pick<Situation, 'hasHls' | 'fileLines' | 'playerLines'>,
  video: HTMLVideoElement,
): SourceKind {
  const { quality, bandwidth } = rememberedPlayer()
  const otherwise = playsHlsItself(video) ? 'native' : 'none'
  const hls = picksStream() ? 'stream' : otherwise
  return chooseSource({ ...input, hls, quality, bandwidth, answerMs: fastestAnswerMs() })
}
