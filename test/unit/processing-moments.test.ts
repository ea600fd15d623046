import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWaveform, WAVEFORM_FILE, WAVEFORM_RATE } from '#shared/waveform.ts'
import { processClip } from '#test/support/processed-clip.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moments-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the wave form has a peak where the sound has one, and is as long as the video', async () => {
  const made = await processClip(folder, { seconds: 4, flashSeconds: 2.5 }, [96])
  expect(made.files).toContainEqual({ name: WAVEFORM_FILE, kind: 'storyboard', bytes: 80 })
  const peaks = await readFile(made.at(WAVEFORM_FILE))
  const loud = [...peaks].flatMap((peak, at) => (peak > 12 ? [at / WAVEFORM_RATE] : []))
  expect(loud.length).toBeGreaterThan(0)
  for (const seconds of loud) expect(Math.abs(seconds - 2.5)).toBeLessThanOrEqual(0.2)
  const range = { fromSeconds: 2, toSeconds: 4, parts: 2 }
  expect(readWaveform(peaks, range).map((level) => level > 0.05)).toEqual([true, false])
})

test('a video without sound has no wave form', async () => {
  const made = await processClip(folder, { seconds: 2, audioCodec: null }, [96])
  expect(made.files.map(({ name }) => name)).not.toContain(WAVEFORM_FILE)
})
