import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { writeSession } from '#test/support/steam.ts'

const options = { timeoutMs: 60_000 }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-join-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function concatenate(session: string, stream: number): Promise<string> {
  const names = (await readdir(session)).filter((name) => name.includes(`-stream${stream}`)).sort()
  const ordered = [...names.filter((one) => one.startsWith('init')), ...names.slice(0, -1)]
  const pieces = await Promise.all(ordered.map((name) => readFile(join(session, name))))
  const path = join(folder, `${stream}-${session.split('/').at(-1)}.mp4`)
  await writeFile(path, Buffer.concat(pieces))
  return path
}

const inspect = async (path: string) =>
  (await runMediaTask({ kind: 'inspect', files: [{ path, kind: 'video' }] }, options)).files[0]

test('recordings that follow each other become one MP4 with picture and sound', async () => {
  const recordings = []
  for (const [name, startSeconds] of [
    ['one', 100],
    ['two', 0],
  ] as const) {
    const session = await writeSession(folder, { name, startSeconds, seconds: 3 })
    recordings.push({
      picturePath: await concatenate(session, 0),
      soundPath: await concatenate(session, 1),
    })
  }
  const outputPath = join(folder, 'whole.mp4')
  const joined = await runMediaTask({ kind: 'join', recordings, outputPath }, options)
  expect(joined.durationSeconds).toBeCloseTo(6, 0)
  const found = await inspect(outputPath)
  expect(found).toMatchObject({
    container: 'mp4',
    codecs: ['h264', 'aac'],
    pictures: 180,
  })
  expect(found?.durationSeconds).toBeCloseTo(6, 0)
})

test('a recording whose end is incomplete comes up to there', async () => {
  const session = await writeSession(folder, { name: 'cut', seconds: 3, isSilent: true })
  const picturePath = await concatenate(session, 0)
  const { length } = await readFile(picturePath)
  await truncate(picturePath, length - 200)
  const outputPath = join(folder, 'whole.mp4')
  const recordings = [{ picturePath, soundPath: null }]
  await runMediaTask({ kind: 'join', recordings, outputPath }, options)
  const found = await inspect(outputPath)
  expect(found?.pictures).toBeGreaterThan(50)
  expect(found?.pictures).toBeLessThan(90)
})

test('what is no recording is refused, and nothing is left', async () => {
  const picturePath = join(folder, 'text.mp4')
  await writeFile(picturePath, 'This is no video.'.repeat(100))
  const outputPath = join(folder, 'whole.mp4')
  const recordings = [{ picturePath, soundPath: null }]
  await expect(runMediaTask({ kind: 'join', recordings, outputPath }, options)).rejects.toThrow(
    'This is a text file',
  )
  expect(await readdir(folder)).toEqual(['text.mp4'])
})
