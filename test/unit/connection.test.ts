import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnection } from '#client/platform/connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  let isThere = true
  const probe = vi.fn(async () => isThere)
  const connection = createConnection({ probe })
  const set = (value: boolean) => {
    isThere = value
  }
  return { connection, probe, set }
}

test('a doubt while the server answers changes nothing', async () => {
  const { connection, probe } = setUp()
  await connection.doubt()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(connection.isLost()).toBe(false)
  expect(probe).toHaveBeenCalledTimes(1)
})

test('doubts that come together are one probe', async () => {
  const { connection, probe } = setUp()
  await Promise.all([connection.doubt(), connection.doubt(), connection.doubt()])
  expect(probe).toHaveBeenCalledTimes(1)
})

test('a lost connection is probed every 1 to 1.5 s until it is back', async () => {
  const { connection, probe, set } = setUp()
  const back = vi.fn()
  connection.onBack(back)
  set(false)
  await connection.doubt()
  expect(connection.isLost()).toBe(true)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(probe.mock.calls.length).toBeGreaterThanOrEqual(20)
  expect(probe.mock.calls.length).toBeLessThanOrEqual(31)
  set(true)
  await vi.advanceTimersByTimeAsync(1500)
  expect(connection.isLost()).toBe(false)
  expect(back).toHaveBeenCalledTimes(1)
  const { length } = probe.mock.calls
  await vi.advanceTimersByTimeAsync(60_000)
  expect(probe).toHaveBeenCalledTimes(length)
})

test('an answer to any other request ends the outage at once', async () => {
  const { connection, set } = setUp()
  set(false)
  await connection.doubt()
  connection.noteAnswer()
  expect(connection.isLost()).toBe(false)
})

test('a probe that hangs does not keep a later one from finding the server', async () => {
  const answers: ((isThere: boolean) => void)[] = []
  const connection = createConnection({
    probe: () => new Promise((resolve) => void answers.push(resolve)),
  })
  const hanging = connection.doubt()
  const later = connection.probeAgain()
  answers[1]?.(true)
  await later
  answers[0]?.(false)
  await hanging
  expect(connection.isLost()).toBe(false)
})

test('a pause ends when the connection is back, when its time is over, and when it is aborted', async () => {
  const { connection, set } = setUp()
  set(false)
  await connection.doubt()
  const ended: string[] = []
  const stop = new AbortController()
  void connection.pause(600_000).then(() => ended.push('back'))
  void connection.pause(100).then(() => ended.push('time'))
  void connection.untilBack(stop.signal).catch(() => ended.push('aborted'))
  await vi.advanceTimersByTimeAsync(100)
  stop.abort()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toEqual(['time', 'aborted'])
  set(true)
  await vi.advanceTimersByTimeAsync(1500)
  expect(ended).toEqual(['time', 'aborted', 'back'])
})
