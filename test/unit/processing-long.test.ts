import { readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSource } from '#server/video/processing/source/open-source.ts'
import { makeLadder } from '#server/video/processing/tasks/ladder.ts'
import { planLadder } from '#server/video/processing/tasks/ladder-plan.ts'
import type { LadderTask } from '#server/video/processing/tasks/media-task.ts'
import { copyPicture } from '#server/video/processing/tasks/picture-copy.ts'
import { prepare } from '#server/video/processing/tasks/prepare.ts'
import { transcode } from '#server/video/processing/tasks/transcode.ts'
import { type ClipOptions, makeClip, readClip } from '#test/support/clips.ts'
import { joinClip } from '#test/support/joined-clip.ts'
import { longTest } from '#test/support/long-form.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const seconds = 10
const onLinux = process.platform === 'linux'
const small = { width: 128, height: 72, frameRate: 2, keyFrameSeconds: 2, seconds }
const sounds = { audioTracks: 2, soundGains: [-200], sampleRate: 16_000 }
const report = () => {}

const folder = setUpFolder('long')

/** @returns the highest number of descriptors of a file that are open at a time during the work */
async function countOpen(path: string, work: Promise<unknown>): Promise<number> {
  let most = 0
  let isOver = false
  const done = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const open = readdirSync('/proc/self/fd').filter((fd) => readLink(fd) === path)
    most = Math.max(most, open.length)
    await new Promise(setImmediate)
  }
  await done
  return most
}

function readLink(fd: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return null
  }
}

/** One descriptor is for FFmpeg; while a file is being opened, another reads its head. */
const openedOnce = 2

const recording: Omit<ClipOptions, 'path'> = { ...small, ...sounds }

test.runIf(onLinux)('prepare has a recording open once at a time', async () => {
  const sourcePath = await makeClip({ path: join(folder, 'prepared.mp4'), ...recording })
  const work = prepare({ kind: 'prepare', sourcePath, outputFolder: folder }, report)
  expect(await countOpen(sourcePath, work)).toBeLessThanOrEqual(openedOnce)
  expect((await work).videoFile).toBe('video.mp4')
})

test.runIf(onLinux)('transcode has a recording open once at a time', async () => {
  const options: Omit<ClipOptions, 'path'> = { ...recording, videoCodec: 'hevc' }
  const sourcePath = await makeClip({ path: join(folder, 'encoded.mp4'), ...options })
  const outputPath = join(folder, 'transcoded.mp4')
  const work = transcode({ kind: 'transcode', sourcePath, outputPath, quickShortSide: 72 }, report)
  expect(await countOpen(sourcePath, work)).toBeLessThanOrEqual(openedOnce)
  expect((await readClip(outputPath)).sounds).toHaveLength(2)
})

test.runIf(onLinux)('a ladder has the file that plays open once at a time', async () => {
  const playablePath = await makeClip({ path: join(folder, 'plays.mp4'), ...recording, height: 54 })
  const options: Omit<ClipOptions, 'path'> = { ...recording, videoCodec: 'hevc' }
  const sourcePath = await makeClip({ path: join(folder, 'best.mp4'), ...options })
  const work = makeLadder(await ladderTask({ sourcePath, playablePath }), report)
  expect(await countOpen(playablePath, work)).toBeLessThanOrEqual(openedOnce)
  expect((await work).renditions).toHaveLength(2)
})

async function ladderTask(
  paths: Pick<LadderTask, 'sourcePath' | 'playablePath'>,
): Promise<LadderTask> {
  const outputFolder = await mkdtemp(join(folder, 'ladder-'))
  return { kind: 'ladder', ...paths, outputFolder, thumbnailPath: null, heights: [72, 54] }
}

const hevc: Omit<ClipOptions, 'path'> = {
  ...{ ...small, videoCodec: 'hevc', bFrames: 2, audioTracks: 2, sampleRate: 8_000, channels: 1 },
}

async function makeLong(name: string): Promise<string> {
  const part = await makeClip({ path: join(folder, `part-${name}`), ...hevc })
  return joinClip(join(folder, name), { part, times: 121, seconds })
}

async function readTimes(path: string): Promise<number[]> {
  const { pictures } = await readClip(path)
  return pictures[0]?.times ?? []
}

/** Matroska counts in milliseconds. */
function expectSameTimes(found: number[], wanted: number[]) {
  expect(found).toHaveLength(wanted.length)
  const shifts = found.map((time, index) => Math.abs(time - (wanted[index] ?? 0)))
  expect(Math.max(...shifts)).toBeLessThanOrEqual(0.001)
}

test('a long MP4 in another codec is read from a copy of its picture, beside the file that plays', async () => {
  const playablePath = await makeClip({ path: join(folder, 'small.mp4'), ...small, height: 54 })
  const part = await makeClip({ path: join(folder, 'short.mp4'), ...hevc })
  const whole = await makeLong('long.mp4')
  const plans = { [part]: false, [whole]: true, [playablePath]: false }
  for (const [sourcePath, needsPictureCopy] of Object.entries(plans)) {
    const task = await ladderTask({ sourcePath, playablePath })
    expect(await planLadder(task)).toMatchObject({ needsPictureCopy })
  }
})

test('a copy of a picture begins where playback does', async () => {
  const path = join(folder, 'late.mp4')
  await makeClip({ path, ...hevc, startSeconds: 3, audioDelaySeconds: -1 })
  const copyPath = join(folder, 'late.mkv')
  await copyPicture(path, copyPath, report)
  const { sounds, pictures } = await readClip(copyPath)
  expect({ sounds, codec: pictures[0]?.codec }).toEqual({ sounds: [], codec: 'hevc' })
  const { offsetSeconds, input } = await openSource(path)
  input.closeInputSync()
  expect(offsetSeconds).toBeGreaterThan(1)
  const wanted = (await readTimes(path)).map((time) => time - offsetSeconds)
  expectSameTimes(await readTimes(copyPath), wanted)
})

longTest(
  'a stream that is made from a copy has the times of its source',
  async () => {
    const sourcePath = await makeLong('whole.mp4')
    const playablePath = join(folder, 'playable.mp4')
    await transcode(
      { kind: 'transcode', sourcePath, outputPath: playablePath, quickShortSide: 54 },
      report,
    )
    const task = await ladderTask({ sourcePath, playablePath })
    const made = await makeLadder(task, report)
    const best = join(task.outputFolder, 'video.mp4')
    // The last picture is shown for a long time and therefore repeated.
    expectSameTimes((await readTimes(best)).slice(0, -1), await readTimes(sourcePath))
    expect((await readClip(best)).sounds).toHaveLength(2)
    expect(made.renditions.map(({ name, copied }) => ({ name, copied }))).toEqual([
      { name: 72, copied: false },
      { name: 54, copied: true },
    ])
    expect(await readdir(task.outputFolder)).not.toContain('indexed.mkv')
  },
  600_000,
)
