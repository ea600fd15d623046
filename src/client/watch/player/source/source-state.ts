import type { SourceKind } from './source.ts'

/** A recovery within this time after the last one, without new data, is a relapse: the connection is not the cause. */
const RELAPSE_MS = 4000
const RELAPSES_MAX = 3
/** Limit of relapses for a stream that can be reached but delivers no data. */
const SILENT_RELAPSES_MAX = 1
/**
 * A slow source may deliver no data for this long. Loading it again would restart the wait: a file is requested anew, and hls.js
 * drops the segments that it is parsing.
 */
const SILENCE_MS = 10_000
const MEDIA_ERR_NETWORK = 2
const MEDIA_ERR_DECODE = 3

/** Facts that decide how a failing source is handled. Times are milliseconds of `performance.now()`. */
export type SourceState = {
  kind: SourceKind | undefined
  /** The reason for the check of the connection. A stall alone does not reload the source. */
  cause: 'none' | 'stall' | 'loss'
  arrivedAt: number
  recovery: { at: number; loadedUntil: number; relapses: number }
  hasSkippedError: boolean
  isLeavingFile: boolean
}

export type SourceEvent =
  | { type: 'opened'; kind: SourceKind }
  | { type: 'data-arrived'; now: number }
  /** Playback has not advanced for a while. */
  | { type: 'stalled'; canStream: boolean }
  /** The element reports an error. `code` is one of `MediaError`. */
  | { type: 'failed'; code: number }
  /** The file or the server cannot be reached. */
  | { type: 'lost' }
  /** The file can be reached. `loadedUntil` is the end of the buffer around the current time, in seconds. */
  | { type: 'reachable'; now: number; loadedUntil: number; isStuck: boolean }
  | { type: 'connection-back'; isStuck: boolean }
  /** The member has chosen a rendition or sound track that the file lacks, or the file is too slow. */
  | { type: 'stream-wanted' }
  | { type: 'stream-settled' }

export type SourceAction =
  | 'none'
  /** Start the timer for the next stall again. */
  | 'watch'
  /** Let the source load again where it stopped. */
  | 'resume'
  /** Probe the file until it can be reached. */
  | 'reconnect'
  /** Open the same source again a little later in the video. */
  | 'skip-error'
  /** 'Not supported' is also reported when the server is away: probe once. */
  | 'probe'
  /** Probe once; leave the file if it is only slow. */
  | 'check-speed'
  | 'prepare-stream'
  /** Open the file instead of the stream, or fail. */
  | 'fall-back'

type Transition = [SourceState, SourceAction]

export const INITIAL_STATE: SourceState = {
  kind: undefined,
  cause: 'none',
  arrivedAt: Number.NEGATIVE_INFINITY,
  recovery: { at: Number.NEGATIVE_INFINITY, loadedUntil: Number.NEGATIVE_INFINITY, relapses: 0 },
  hasSkippedError: false,
  isLeavingFile: false,
}

export function nextState(state: SourceState, event: SourceEvent): Transition {
  switch (event.type) {
    case 'opened':
      return [{ ...state, kind: event.kind }, 'none']
    case 'data-arrived':
      return [{ ...state, arrivedAt: event.now }, 'none']
    case 'stalled':
      if (state.kind === 'progressive' && event.canStream) return [state, 'check-speed']
      return [{ ...state, cause: 'stall' }, 'reconnect']
    case 'failed':
      return afterError(state, event.code)
    case 'lost':
      return [{ ...state, cause: 'loss' }, 'none']
    case 'reachable':
      return afterProbe(state, event)
    case 'connection-back':
      return [{ ...state, cause: 'loss' }, event.isStuck ? 'reconnect' : 'none']
    case 'stream-wanted':
      return [{ ...state, isLeavingFile: true }, state.isLeavingFile ? 'none' : 'prepare-stream']
    case 'stream-settled':
      return [{ ...state, isLeavingFile: false }, 'none']
  }
}

function afterError(state: SourceState, code: number): Transition {
  // hls.js reports its errors itself.
  if (state.kind === 'hls') return [state, 'none']
  const lost: SourceState = { ...state, cause: 'loss' }
  if (code === MEDIA_ERR_NETWORK) return [lost, 'reconnect']
  if (code !== MEDIA_ERR_DECODE) return [lost, 'probe']
  if (state.hasSkippedError) return [lost, 'fall-back']
  return [{ ...lost, hasSkippedError: true }, 'skip-error']
}

function afterProbe(
  state: SourceState,
  { now, loadedUntil, isStuck }: Extract<SourceEvent, { type: 'reachable' }>,
): Transition {
  const { kind, cause, arrivedAt, recovery } = state
  const isFile = kind === 'progressive'
  const isStall = cause === 'stall' && (isFile || kind === 'hls')
  if (isStall && now - arrivedAt < SILENCE_MS) return [state, 'watch']
  const relapseMs = isFile || isStall ? SILENCE_MS + RELAPSE_MS : RELAPSE_MS
  const isRelapse = now - recovery.at < relapseMs && loadedUntil <= recovery.loadedUntil
  const relapses = isRelapse ? recovery.relapses + 1 : 0
  const after = { ...state, recovery: { at: now, loadedUntil, relapses } }
  if (relapses >= (isStall && !isFile ? SILENT_RELAPSES_MAX : RELAPSES_MAX))
    return [after, 'fall-back']
  return [after, isStuck || kind === 'hls' ? 'resume' : 'none']
}
