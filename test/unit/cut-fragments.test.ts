import { expect, test } from 'vitest'
import { openArrivedBytes } from '#server/video/arriving/arrived-bytes.ts'
import { type CodedSample, cutFragments } from '#server/video/arriving/cut-fragments.ts'

const MEBIBYTE = 1024 * 1024

/** Says that all is shown at the same moment. */
async function* samplesOf(count: number): AsyncGenerator<CodedSample> {
  const bytes = new Uint8Array(MEBIBYTE)
  for (let index = 0; index < count; index += 1) {
    yield { bytes, timestamp: 0, duration: 0, isKey: index === 0 }
  }
}

const laneOf = (count: number) => ({ trackId: 1, timescale: 1000, samples: samplesOf(count) })

test('a file whose pictures all have the same time is cut before it fills the memory', async () => {
  const sizes: number[] = []
  for await (const { runs } of cutFragments(laneOf(150))) sizes.push(runs[0]?.samples.length ?? 0)
  expect(sizes).toEqual([64, 64, 22])
})

test('a file with more sound than there can be is given up', async () => {
  const fragments = cutFragments(laneOf(1), laneOf(100))
  await expect(fragments.next()).rejects.toThrow('A fragment is too large.')
})

test('a part that says that it is huge is not read', async () => {
  const { signal } = new AbortController()
  const source = openArrivedBytes({} as never, { videoId: 1, signal })
  await expect(source.read(0, 200 * MEBIBYTE)).rejects.toThrow('A part of the file is too large.')
})
