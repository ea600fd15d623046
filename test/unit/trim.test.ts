import { openAsBlob } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packetsUntil } from '#client/create/upload/trim/packet-range.ts'
import { openTrimSource, TrimError } from '#client/create/upload/trim/trim-source.ts'
import {
  closeSource,
  openSource,
  readSoundName,
} from '#server/video/processing/source/open-source.ts'
import {
  type ClipOptions,
  decodeAll,
  makeClip,
  readClip,
  readFlash,
  readSound,
} from '#test/support/clips.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const folder = setUpFolder('trim')

async function trim(path: string, range: { fromSeconds: number; toSeconds: number }) {
  const source = await openTrimSource(await openAsBlob(path))
  const start = await source.startOf(range.fromSeconds)
  const trimmed = `${path}.trimmed`
  const file = await open(trimmed, 'w')
  const writable = new WritableStream<{ data: Uint8Array; position: number }>({
    write: async ({ data, position }) => void (await file.write(data, 0, data.length, position)),
    close: () => file.close(),
    abort: () => file.close(),
  })
  const shares: number[] = []
  await source.copy(range, {
    writable,
    signal: new AbortController().signal,
    onProgress: (share) => shares.push(share),
  })
  source.close()
  return { path: trimmed, start, shares, durationSeconds: source.durationSeconds }
}

test.each<[string, Partial<ClipOptions>]>([
  ['mp4', { bFrames: 2, audioTracks: 2, rotation: 90 }],
  ['mov', {}],
  ['matroska', { bFrames: 2 }],
  ['webm', { videoCodec: 'vp9', audioCodec: 'opus' }],
])('a part of a %s file is copied from the key frame before it', async (container, more) => {
  const path = join(folder, `whole.${container}`)
  const made = { container: container as ClipOptions['container'], keyFrameSeconds: 2 }
  // Something to see and to hear at 5.5 s.
  await makeClip({ path, ...made, seconds: 10, flashSeconds: 5.5, ...more })
  const trimmed = await trim(path, { fromSeconds: 5, toSeconds: 8 })
  expect(trimmed.start).toBeCloseTo(4, 1)
  expect(trimmed.durationSeconds).toBeCloseTo(10, 0)
  expect(trimmed.shares.at(-1)).toBeGreaterThan(0.9)
  const part = await readClip(trimmed.path)
  expect(await decodeAll(trimmed.path)).toMatchObject({ frames: 120, errors: 0 })
  expect(part.durationSeconds).toBeCloseTo(4, 1)
  expect(part.pictures[0]?.hasDisplayMatrix).toBe(more.rotation !== undefined)
  expect(part.sounds).toHaveLength(more.audioTracks ?? 1)
  // The sound stays where it was beside the picture.
  expect(await readFlash(trimmed.path)).toBeCloseTo(1.5, 1)
  expect((await readSound(trimmed.path)).heardAt).toBeCloseTo(1.5, 1)
})

test.each<[string, Partial<ClipOptions>]>([
  ['MP4', {}],
  ['fragmented MP4', { muxerOptions: { movflags: 'frag_keyframe+empty_moov' } }],
  ['MKV', { container: 'matroska' }],
])('a part from the start of a %s has the sound before its first picture', async (name, more) => {
  const path = join(folder, `late picture in ${name}`)
  const late = { startSeconds: 0.067, audioDelaySeconds: -0.067 }
  await makeClip({ path, ...late, seconds: 5, keyFrameSeconds: 1, bFrames: 2, ...more })
  const trimmed = await trim(path, { fromSeconds: 0, toSeconds: 3 })
  const begins = async (one: string) => {
    const { pictures, sounds } = await readClip(one)
    return [pictures, sounds].map(([track]) => Math.min(...(track?.times ?? [])))
  }
  const own = await begins(path)
  expect(await begins(trimmed.path)).toEqual(
    own.map((seconds) => expect.closeTo(Math.max(0, seconds), 2)),
  )
})

test.each(['mp4', 'mov'] as const)(
  'the tracks of a part of a %s keep their names',
  async (container) => {
    const path = join(folder, `named.${container}`)
    const audioHandlers = ['Desktop Audio', 'Microphone', 'A', 'SoundHandler']
    await makeClip({ path, container, audioTracks: 4, audioHandlers, seconds: 4 })
    const trimmed = await trim(path, { fromSeconds: 1, toSeconds: 3 })
    for (const one of [path, trimmed.path]) {
      const source = await openSource(one)
      expect(source.audio.map(readSoundName)).toEqual(['Desktop Audio', 'Microphone', 'A', null])
      closeSource(source)
    }
  },
)

test('what cannot be copied is refused with a sentence', async () => {
  const path = join(folder, 'whole.avi')
  await makeClip({ path, container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' })
  const noVideo = join(folder, 'text.mp4')
  await writeFile(noVideo, 'not a video')
  for (const one of [path, noVideo]) {
    await expect(openTrimSource(await openAsBlob(one))).rejects.toThrow(TrimError)
  }
})

test('pictures after the end stay only where an earlier one leans on them', async () => {
  const inOrder = [0, 3, 1, 2, 6, 4, 5, 7, 8, 9].map((timestamp) => ({
    timestamp,
    type: timestamp === 0 ? ('key' as const) : ('delta' as const),
  }))
  const kept = await Array.fromAsync(packetsUntil(toAsync(inOrder), 5))
  expect(kept.map(({ timestamp }) => timestamp)).toEqual([0, 3, 1, 2, 6, 4])
})

async function* toAsync<T>(items: T[]) {
  yield* items
}
