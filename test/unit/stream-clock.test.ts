import { expect, test } from 'vitest'
import { joinRanges, makeStreamClocks } from '#server/video/processing/source/stream-clock.ts'

const LAST = Number.POSITIVE_INFINITY

/** Pictures of 0.04 s and sounds of 0.02 s beside each other, from a time on. */
function recording(fromSeconds: number, seconds: number): [stream: number, seconds: number][] {
  const pictures = Array.from({ length: Math.round(seconds / 0.04) }, (_, index) => index * 0.04)
  return pictures.flatMap((at): [number, number][] => [
    [0, fromSeconds + at],
    [1, fromSeconds + at],
    [1, fromSeconds + at + 0.02],
  ])
}

/** When each packet is played, to a hundredth of a second; null for what is left out. */
function play(packets: [stream: number, seconds: number][], longestGapSeconds = LAST) {
  const clocks = makeStreamClocks()
  const places = packets.map(([stream, seconds]) => {
    const durationSeconds = stream === 0 ? 0.04 : 0.02
    return clocks.note({ stream, decodedSeconds: seconds, shownSeconds: seconds, durationSeconds })
  })
  const shifts = joinRanges(clocks.ranges, longestGapSeconds)
  return packets.map(([, seconds], index) => {
    const shift = shifts[places[index] ?? 0] ?? null
    return shift === null ? null : Math.round((seconds + shift) * 100) / 100
  })
}

test('one clock is left as it is', () => {
  expect(play(recording(1.4, 3))).toEqual(
    recording(1.4, 3).map(([, at]) => Math.round(at * 100) / 100),
  )
})

test('a recording behind another one goes on where that one ended, also where their packets mingle', () => {
  const [first, second] = [recording(1.4, 3), recording(1.4, 3)]
  const [picture, ...rest] = second
  const tail = first.splice(-1)
  const played = play([...first, ...(picture ? [picture] : []), ...tail, ...rest])
  expect(played.at(first.length)).toBe(4.4)
  expect(played.at(first.length + 1)).toBe(4.38)
  expect(played.at(-1)).toBe(7.38)
})

test('a wrong time of a packet moves nothing behind it', () => {
  for (const wrong of [14, 0.1, 100_000]) {
    const packets = recording(2, 3)
    packets[90] = [packets[90]?.[0] ?? 0, wrong]
    const played = play(packets)
    expect(played[90]).toBeNull()
    expect(played.at(-1)).toBe(4.98)
  }
})

test('a pause is kept, but not a jump of the clock of a broadcast', () => {
  const packets = [...recording(0, 2), ...recording(60, 2)]
  expect(play(packets).at(-1)).toBe(61.98)
  expect(play(packets, 10).at(-1)).toBe(3.98)
  const short = [...recording(0, 2), ...recording(6, 2)]
  expect(play(short, 10).at(-1)).toBe(7.98)
})

test('a stream that is silent for a minute, and pictures that are seconds apart, keep their times', () => {
  const pictures = recording(0, 70).filter(([stream, at]) => stream === 0 || at < 1 || at > 61)
  expect(play(pictures).at(-1)).toBe(69.98)
  const slides = [0, 5, 10, 30, 31].map((at): [number, number] => [0, at])
  expect(play(slides)).toEqual([0, 5, 10, 30, 31])
})
