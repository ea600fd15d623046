import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '#server/platform/errors.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  MediaKilledError,
} from '#server/video/processing/media-errors.ts'
import { type RunOptions, runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { makeClip } from '#test/support/clips.ts'
import { joinClip } from '#test/support/joined-clip.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { until } from '#test/support/until.ts'
import { watchMediaChildren } from '#test/torture/media/media-children.ts'

const onLinux = process.platform === 'linux'

const folder = setUpFolder('media-process')
let output: string
let source: string

beforeAll(async () => {
  output = join(folder, 'output')
  source = await makeClip({
    path: join(folder, 'long.avi'),
    container: 'avi',
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
    width: 1920,
    height: 1080,
    frameRate: 60,
    seconds: 5,
  })
}, 60_000)
beforeEach(async () => {
  await rm(output, { recursive: true, force: true })
  await mkdir(output)
})

/** Starts work of several seconds; answers its error. */
function startTranscode(options: Partial<RunOptions>, outputPath = join(output, 'video.mp4')) {
  return runMediaTask(
    { kind: 'transcode', sourcePath: source, outputPath },
    { timeoutMs: 60_000, ...options },
  ).then(
    () => new Error('It was finished.'),
    (error: unknown) => error as Error,
  )
}

test('an abort interrupts the work and leaves nothing behind', async () => {
  const abort = new AbortController()
  const error = await startTranscode({ signal: abort.signal, onProgress: () => abort.abort() })
  expect(error).toBeInstanceOf(MediaInterruptedError)
  expect(await readdir(output)).toEqual([])
})

test('work that is aborted beforehand does not begin', async () => {
  const error = await startTranscode({ signal: AbortSignal.abort() })
  expect(error).toBeInstanceOf(MediaInterruptedError)
})

test('work that takes too long is ended and leaves nothing behind', async () => {
  const error = await startTranscode({ timeoutMs: 700 })
  expect(error).toBeInstanceOf(MediaFailedError)
  expect(error.message).toBe('The work on this file took too long.')
  expect(await readdir(output)).toEqual([])
})

test('work that needs too much memory is ended', async () => {
  const error = await startTranscode({ memoryLimitBytes: 120 * 1024 * 1024 })
  expect(error).toBeInstanceOf(MediaFailedError)
  expect(error.message).toBe('This file needs too much memory to work on.')
  const { diagnostics } = error as MediaFailedError
  expect(diagnostics).toMatch(/^Resident memory rose to \d+ MiB or more; the limit is 120 MiB\./)
  expect(await readdir(output)).toEqual([])
})

test.runIf(onLinux && isLongForm)(
  'a copied recording takes no more memory when it is longer',
  async () => {
    const part = await makeClip({ path: join(output, 'part.mp4'), seconds: 10, keyFrameSeconds: 2 })
    const peaks: number[] = []
    for (const times of [6, 30]) {
      const path = await joinClip(join(output, 'joined.mp4'), { part, times, seconds: 10 })
      const outputFolder = await mkdtemp(join(output, 'ladder-'))
      const children = watchMediaChildren(process.pid)
      const { renditions } = await runMediaTask(
        {
          ...{ kind: 'ladder', sourcePath: path, playablePath: path, outputFolder },
          ...{ thumbnailPath: null, heights: [180] },
        },
        { timeoutMs: 110_000 },
      )
      expect(renditions.map(({ copied }) => copied)).toEqual([true])
      peaks.push((await children.stop()).peakBytes / 1024 ** 2)
    }
    const [short = 0, long = 0] = peaks
    expect(short).toBeGreaterThan(0)
    // Four minutes more took 150 MiB where packets stayed in memory.
    expect(long - short).toBeLessThan(40)
  },
)

const ENDINGS = [
  ['SIGTERM', MediaInterruptedError],
  ['SIGINT', MediaInterruptedError],
  ['SIGKILL', MediaKilledError],
  ['SIGSEGV', MediaFailedError],
] as const

test.runIf(onLinux).each(quickCases(ENDINGS, ['SIGTERM', 'SIGKILL']))(
  'a child ended by %s is distinguished',
  async (signal, expected) => {
    const running = startTranscode({})
    await until(async () => (await listMediaProcesses(process.pid)).length === 1)
    const [child = 0] = await listMediaProcesses(process.pid)
    // It works in steps of some milliseconds, so that it is not done before it is ended.
    process.kill(child, 'SIGSTOP')
    while (!existsSync(join(output, 'video.mp4'))) {
      process.kill(child, 'SIGCONT')
      await setTimeout(5)
      process.kill(child, 'SIGSTOP')
    }
    process.kill(child, signal)
    process.kill(child, 'SIGCONT')
    expect(await running).toBeInstanceOf(expected)
    expect(await readdir(output)).toEqual([])
    expect(await listMediaProcesses(process.pid)).toEqual([])
  },
)

test.runIf(onLinux)('a child that stands still is ended', async () => {
  const running = startTranscode({ stallMs: 2500 })
  // Not later: a slow machine may take that long before there is a first sign of work.
  const [child] = await listMediaProcesses(process.pid)
  process.kill(child ?? 0, 'SIGSTOP')
  const error = await running
  expect(error).toBeInstanceOf(MediaFailedError)
  expect(error.message).toBe('The work on this file came to a standstill.')
  expect(await readdir(output)).toEqual([])
})

longTest('a ladder that is interrupted leaves nothing behind', async () => {
  const playablePath = await makeClip({ path: join(folder, 'playable.mp4'), seconds: 5 })
  const abort = new AbortController()
  const work = runMediaTask(
    {
      kind: 'ladder',
      sourcePath: source,
      playablePath,
      outputFolder: output,
      thumbnailPath: null,
      heights: [720, 180],
    },
    {
      timeoutMs: 60_000,
      signal: abort.signal,
      onProgress: ({ stage }) => stage === 'encoding' && abort.abort(),
    },
  )
  await expect(work).rejects.toBeInstanceOf(MediaInterruptedError)
  expect(await readdir(output)).toEqual([])
})

test.runIf(existsSync('/dev/full'))('a full disk is reported as such', async () => {
  const outputPath = join(output, 'full.mp4')
  await symlink('/dev/full', outputPath)
  const error = await startTranscode({}, outputPath)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ kind: 'no-space' })
  expect(await readdir(output)).toEqual([])
})

test.runIf(isLongForm && existsSync('/dev/full'))(
  'a full disk is reported as such by a ladder, a remux and a poster',
  async () => {
    const sourcePath = await makeClip({ path: join(folder, 'short.mp4'), seconds: 1 })
    await symlink('/dev/full', join(output, '180p.mp4'))
    const ladder = runMediaTask(
      {
        kind: 'ladder',
        sourcePath,
        playablePath: sourcePath,
        outputFolder: output,
        thumbnailPath: null,
        heights: [180],
      },
      { timeoutMs: 30_000 },
    )
    await expect(ladder).rejects.toMatchObject({ kind: 'no-space' })
    expect(await readdir(output)).toEqual([])
    for (const name of ['video.mp4', 'poster.jpg']) {
      await symlink('/dev/full', join(output, name))
      const work = runMediaTask(
        { kind: 'prepare', sourcePath, outputFolder: output },
        { timeoutMs: 30_000 },
      )
      await expect(work).rejects.toMatchObject({ kind: 'no-space' })
      expect(await readdir(output)).toEqual([])
    }
  },
)

test('a folder that does not exist is a failure with a plain sentence', async () => {
  const error = await startTranscode({}, join(folder, 'nowhere', 'video.mp4'))
  expect(error).toBeInstanceOf(MediaFailedError)
  expect(error.message).toBe('The work on this file broke down.')
  expect((error as MediaFailedError).diagnostics).toContain('create MP4')
})

test.runIf(onLinux)('a child does not outlive its parent', async () => {
  const parent = startParent()
  await until(async () => (await listMediaProcesses(parent.pid)).length === 1)
  await until(() => existsSync(join(output, 'video.mp4')))
  const [child] = await listMediaProcesses(parent.pid)
  parent.kill('SIGKILL')
  await until(() => !existsSync(`/proc/${child}`))
})

/** A process of its own that starts the work, as the server does. */
function startParent(): ChildProcess {
  const runner = fileURLToPath(
    new URL('../../src/server/video/processing/tasks/run-media-task.ts', import.meta.url),
  )
  const task = { kind: 'transcode', sourcePath: source, outputPath: join(output, 'video.mp4') }
  const script = `
    import { runMediaTask } from ${JSON.stringify(runner)}
    await runMediaTask(${JSON.stringify(task)}, { timeoutMs: 60_000 })
  `
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
}
