import { rememberedPlayer } from '../core/player-memory.ts'
import { picksStream, playsHlsItself } from './hls-support.ts'
import type { SourceKind } from './source.ts'

/** Answer time of a server in the local network. */
const NEAR_MS = 25
/** Slower connections get the stream; bits per second. */
const AMPLE_BANDWIDTH = 25_000_000
/** Greatest oversize of a file, in lines. */
const MAX_LINES_WASTED = 2.2

type Situation = {
  hasHls: boolean
  /** By hls.js or the browser. */
  hls: 'stream' | 'native' | 'none'
  quality: number | 'auto'
  /** Bits per second, last measured. */
  bandwidth: number | null
  /** Fastest answer. */
  answerMs: number | null
  /** Short sides in device pixels. */
  fileLines: number | null
  playerLines: number
}

/**
 * The file starts fastest, if the connection is ample and the picture not too large; otherwise the
 * stream. See docs/decisions/0012-the-player.md.
 */
export function chooseSource(situation: Situation): SourceKind {
  const { hasHls, hls, quality, bandwidth, answerMs, fileLines, playerLines } = situation
  if (!hasHls || hls === 'none') return 'progressive'
  if (hls === 'native') return 'native-hls'
  const fits = fileLines !== null && fileLines <= playerLines * MAX_LINES_WASTED
  return fits && beginsWithFile({ quality, bandwidth, answerMs }) ? 'progressive' : 'hls'
}

/** By choice and connection. */
function beginsWithFile({
  quality,
  bandwidth,
  answerMs = fastestAnswerMs(),
}: Pick<Situation, 'quality' | 'bandwidth'> & { answerMs?: number | null }): boolean {
  const isNear = answerMs !== null && answerMs <= NEAR_MS
  const isAmple = bandwidth === null ? isNear : bandwidth >= AMPLE_BANDWIDTH
  return quality === 'auto' && isAmple
}

/** Milliseconds; null when unknown. */
function fastestAnswerMs(): number | null {
  // The document is the first resource.
  const waits = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ]
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    // Skips browser cache hits.
    .filter(({ transferSize, requestStart }) => transferSize > 0 && requestStart > 0)
    .map(({ requestStart, responseStart }) => responseStart - requestStart)
    .filter((wait) => wait > 0)
  return waits.length > 0 ? Math.min(...waits) : null
}

export function firstSource(
  input: Pick<Situation, 'hasHls' | 'fileLines' | 'playerLines'>,
  video: HTMLVideoElement,
): SourceKind {
  const { quality, bandwidth } = rememberedPlayer()
  const otherwise = playsHlsItself(video) ? 'native' : 'none'
  const hls = picksStream() ? 'stream' : otherwise
  return chooseSource({ ...input, hls, quality, bandwidth, answerMs: fastestAnswerMs() })
}
