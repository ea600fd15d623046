import { expect, test } from 'vitest'
import {
  INITIAL_STATE,
  nextState,
  type SourceAction,
  type SourceEvent,
  type SourceState,
} from '#client/watch/player/source/source-state.ts'

const FILE: SourceState = { ...INITIAL_STATE, kind: 'progressive' }
const STREAM: SourceState = { ...INITIAL_STATE, kind: 'hls' }
const NATIVE: SourceState = { ...INITIAL_STATE, kind: 'native-hls' }
const NETWORK = { type: 'failed', code: 2 } as const
const DECODE = { type: 'failed', code: 3 } as const
const NOT_SUPPORTED = { type: 'failed', code: 4 } as const
const stalled = (canStream: boolean) => ({ type: 'stalled', canStream }) as const
const reachable = (now: number, loadedUntil: number, isStuck = true) =>
  ({ type: 'reachable', now, loadedUntil, isStuck }) as const

test.each<[string, SourceState, SourceEvent, SourceAction]>([
  ['a slow file is left for the stream', FILE, stalled(true), 'check-speed'],
  ['a file without a stream is waited for', FILE, stalled(false), 'reconnect'],
  ['a stalled stream is waited for', STREAM, stalled(true), 'reconnect'],
  ['a network error is waited for', FILE, NETWORK, 'reconnect'],
  ['a damaged picture is skipped', FILE, DECODE, 'skip-error'],
  ['another damaged picture ends it', { ...FILE, hasSkippedError: true }, DECODE, 'fall-back'],
  ['a file that is refused is asked for once', NATIVE, NOT_SUPPORTED, 'probe'],
  ['errors of the stream are left to its loader', STREAM, NETWORK, 'none'],
  ['a stuck file is loaded again', { ...FILE, cause: 'loss' }, reachable(0, 9), 'resume'],
  ['a file that plays again is left alone', FILE, reachable(0, 9, false), 'none'],
  ['the stream is loaded again in any case', STREAM, reachable(0, 9, false), 'resume'],
  ['the connection is back', FILE, { type: 'connection-back', isStuck: true }, 'reconnect'],
  ['the stream is prepared', FILE, { type: 'stream-wanted' }, 'prepare-stream'],
  ['only once', { ...FILE, isLeavingFile: true }, { type: 'stream-wanted' }, 'none'],
])('%s', (_, state, event, action) => {
  expect(nextState(state, event)[1]).toBe(action)
})

/** The actions after each event, and the state at the end. */
function play(state: SourceState, events: SourceEvent[]) {
  const actions: SourceAction[] = []
  let current = state
  for (const event of events) {
    const [next, action] = nextState(current, event)
    current = next
    actions.push(action)
  }
  return { actions, state: current }
}

test('a file that only stalls is not requested again while it may still arrive', () => {
  const arrived = { type: 'data-arrived', now: 1000 } as const
  const { actions } = play(FILE, [
    arrived,
    stalled(false),
    reachable(10_999, 5),
    reachable(11_000, 5),
  ])
  expect(actions).toEqual(['none', 'reconnect', 'watch', 'resume'])
})

test('a stream that only stalls is loaded again after ten silent seconds, and left after ten more', () => {
  const { actions } = play(STREAM, [
    { type: 'data-arrived', now: 1000 },
    stalled(false),
    ...[3000, 10_999, 11_000, 21_500].map((now) => reachable(now, 0)),
  ])
  expect(actions.slice(2)).toEqual(['watch', 'watch', 'resume', 'fall-back'])
})

test('a stream whose connection was lost is loaded again at once', () => {
  const arrived = { type: 'data-arrived', now: 1000 } as const
  const { actions } = play(STREAM, [arrived, stalled(false), { type: 'lost' }, reachable(2000, 5)])
  expect(actions.at(-1)).toBe('resume')
})

test('a file is requested again when a stall turns out to be a lost connection', () => {
  const arrived = { type: 'data-arrived', now: 1000 } as const
  const { actions } = play(FILE, [arrived, stalled(false), { type: 'lost' }, reachable(2000, 5)])
  expect(actions).toEqual(['none', 'reconnect', 'none', 'resume'])
})

test('a source that fails again after three recoveries without new data is given up', () => {
  const soon = [0, 3000, 6000, 9000].map((now) => reachable(now, 5))
  expect(play(STREAM, soon).actions).toEqual(['resume', 'resume', 'resume', 'fall-back'])
})

test('new data between recoveries, or time, makes them count anew', () => {
  const further = [0, 3000, 6000, 9000].map((now) => reachable(now, 5 + now))
  expect(play(STREAM, further).state.recovery.relapses).toBe(0)
  const later = [0, 4000, 8000, 12_000].map((now) => reachable(now, 5))
  expect(play(STREAM, later).actions).not.toContain('fall-back')
  const ofFile = [0, 4000, 8000, 12_000].map((now) => reachable(now, 5))
  expect(play({ ...FILE, cause: 'loss' }, ofFile).actions.at(-1)).toBe('fall-back')
})

test('the stream can be prepared again once the attempt before has ended', () => {
  const events = [{ type: 'stream-wanted' }, { type: 'stream-settled' }, { type: 'stream-wanted' }]
  expect(play(FILE, events as SourceEvent[]).actions).toEqual([
    'prepare-stream',
    'none',
    'prepare-stream',
  ])
})
