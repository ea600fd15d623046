import { measuredBandwidth } from '#client/platform/bandwidth.ts'
import { rememberedPlayer } from '../core/player-memory.ts'
import type { PlayerOptions } from '../core/player-state.ts'
import { picksStream, playsHlsItself } from './hls-support.ts'
import type { SourceKind } from './source.ts'

/** Answer time of a server in the local network. */
const NEAR_MS = 25
/**
 * The unit is bits per second. This is too slow for most files, and is remembered for a connection
 * on which a file stalled.
 */
export const SLOW_BANDWIDTH = 4_000_000
const PART_LINES = 480
/** Greatest oversize of a file, in lines. */
const MAX_LINES_WASTED = 2.2

type Situation = {
  hasHls: boolean
  /** By hls.js or the browser. */
  hls: 'stream' | 'native' | 'none'
  quality: number | 'auto'
  /** Bits per second, of the last stream. */
  bandwidth: number | null
  /** Bits per second, of this page. */
  pageBandwidth: number | null
  /** Fastest answer. */
  answerMs: number | null
  /** Short sides in device pixels. */
  fileLines: number | null
  playerLines: number
  /** Peak bit rate in bits per second; null while unknown. */
  fileBitRate: number | null
}

/**
 * The file starts fastest, if the connection is ample and the picture not too large; otherwise the
 * stream. See docs/decisions/0012-the-player.md.
 * @returns 'unknown' if it depends on the file's bit rate
 */
export function chooseSource(situation: Situation): SourceKind | 'unknown' {
  const { hasHls, hls, quality, answerMs, fileLines, playerLines, fileBitRate } = situation
  if (!hasHls || hls === 'none') return 'progressive'
  if (hls === 'native') return 'native-hls'
  const fits = fileLines !== null && fileLines <= playerLines * MAX_LINES_WASTED
  if (!fits || quality !== 'auto') return 'hls'
  const isNear = answerMs !== null && answerMs <= NEAR_MS
  if (situation.bandwidth === null && isNear) return 'progressive'
  const bandwidth = situation.bandwidth ?? situation.pageBandwidth ?? 0
  if (bandwidth <= SLOW_BANDWIDTH) return 'hls'
  if (fileBitRate === null) return 'unknown'
  return bandwidth >= fileBitRate ? 'progressive' : 'hls'
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

/** Returns false while the bandwidth is unknown. */
export function isSlowConnection(): boolean {
  const bandwidth = rememberedPlayer().bandwidth ?? measuredBandwidth()
  return bandwidth !== null && bandwidth <= SLOW_BANDWIDTH
}

/** @param input.partQuality if set, the stream is used, in which qualities change without a pause */
export function firstSource(
  {
    partQuality,
    ...input
  }: Pick<Situation, 'hasHls' | 'fileLines' | 'playerLines' | 'fileBitRate'> &
    Pick<PlayerOptions, 'partQuality'>,
  video: HTMLVideoElement,
): SourceKind | 'unknown' {
  const { quality: remembered, bandwidth } = rememberedPlayer()
  const quality = partQuality === undefined ? remembered : PART_LINES
  const otherwise = playsHlsItself(video) ? 'native' : 'none'
  const hls = picksStream() ? 'stream' : otherwise
  const pageBandwidth = measuredBandwidth()
  const answerMs = fastestAnswerMs()
  return chooseSource({ ...input, hls, quality, bandwidth, pageBandwidth, answerMs })
}
