import { readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MediaProgress, TranscodeResult } from '#server/video/processing/tasks/media-task.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip, readClip, readSound, readStill } from '#test/support/clips.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { readShownPictures } from '#test/support/shown-pictures.ts'

const folder = setUpFolder('transcode')
let count = 0

type Transcoded = TranscodeResult & {
  source: string
  output: string
  percents: number[]
  seconds: number[]
}

async function transcodeFile(source: string): Promise<Transcoded> {
  const output = join(folder, `out-${count++}.mp4`)
  const percents: number[] = []
  const seconds: number[] = []
  const onProgress = ({ percent, doneSeconds }: MediaProgress) => {
    percents.push(percent)
    seconds.push(doneSeconds)
  }
  const result = await runMediaTask(
    { kind: 'transcode', sourcePath: source, outputPath: output },
    { timeoutMs: 60_000, onProgress },
  )
  return { ...result, source, output, percents, seconds }
}

async function transcodeClip(options: Omit<ClipOptions, 'path'>): Promise<Transcoded> {
  return transcodeFile(await makeClip({ path: join(folder, `clip-${count++}`), ...options }))
}

const shapes: [string, Omit<ClipOptions, 'path'>, [number, number]][] = [
  [
    'an AVI of MPEG-4 and MP3',
    { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' },
    [320, 180],
  ],
  [
    'an AVI of H.264 with B-frames',
    { container: 'avi', audioCodec: 'mp3', bFrames: 2 },
    [320, 180],
  ],
  [
    'a WebM of VP9 and Opus',
    { container: 'webm', videoCodec: 'vp9', audioCodec: 'opus' },
    [320, 180],
  ],
  [
    'an MKV of HEVC and AC-3',
    { container: 'matroska', videoCodec: 'hevc', audioCodec: 'ac3' },
    [320, 180],
  ],
  [
    'a MOV of Motion JPEG and PCM',
    { container: 'mov', videoCodec: 'mjpeg', audioCodec: 'pcm' },
    [320, 180],
  ],
  ['10-bit HEVC', { videoCodec: 'hevc', pixelFormat: 'yuv420p10le' }, [320, 180]],
  ['10-bit H.264', { pixelFormat: 'yuv420p10le' }, [320, 180]],
  ['an odd size in 4:4:4', { width: 321, height: 181, pixelFormat: 'yuv444p' }, [320, 180]],
  ['a picture over 1080p', { width: 2560, height: 1440, seconds: 0.4 }, [1920, 1080]],
  ['an upright one over 1080p', { width: 1440, height: 2560, seconds: 0.4 }, [1080, 1920]],
  ['a square', { width: 1440, height: 1440, seconds: 0.4 }, [1080, 1080]],
  ['oblong pixels', { sampleAspectRatio: '4/3' }, [426, 180]],
  ['interlaced pictures', { interlaced: true, frameRate: 50 }, [320, 180]],
  [
    'a live recording without a length',
    { container: 'matroska', muxerOptions: { live: '1' } },
    [320, 180],
  ],
  ['mono sound at 22 kHz', { channels: 1, sampleRate: 22_050 }, [320, 180]],
]

const quick = [...['an AVI of MPEG-4 and MP3', '10-bit HEVC', 'a live recording without a length']]

test.each(quickCases(shapes, quick))(
  '%s plays everywhere',
  async (_name, options, [width, height]) => {
    const { output, durationSeconds, ...size } = await transcodeClip(options)
    expect(size).toMatchObject({ width, height })
    const { pictures, sounds, durationSeconds: played } = await readClip(output)
    expect(pictures).toMatchObject([
      {
        codec: 'h264',
        pixelFormat: 'yuv420p',
        width,
        height,
        pixelAspect: 1,
        hasDisplayMatrix: false,
      },
    ])
    expect(sounds).toMatchObject([{ codec: 'aac', sampleRate: 48_000, channels: 2 }])
    const expected = options.seconds ?? 2
    expect(Math.abs(durationSeconds - expected)).toBeLessThan(0.15)
    expect(Math.abs(played - expected)).toBeLessThan(0.15)
    expect(pictures[0]?.times[0]).toBeCloseTo(0, 2)
    expect((await readStill(output, expected / 2)).interlaced).toBe(false)
    const bytes = await readFile(output)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  },
)

type Turn = Size & { rotation: 90 | 180 | 270; red: Place; cyan: Place }
type Size = { width: number; height: number }
type Place = [number, number]

const TURNS: Turn[] = [
  { rotation: 90, width: 180, height: 320, red: [0.65, 0.05], cyan: [0.2, 0.95] },
  { rotation: 180, width: 320, height: 180, red: [0.95, 0.65], cyan: [0.05, 0.2] },
  { rotation: 270, width: 180, height: 320, red: [0.35, 0.95], cyan: [0.8, 0.05] },
]

test.each(isLongForm ? TURNS : TURNS.slice(0, 1))(
  'a clip turned by $rotation comes out upright',
  async (turn) => {
    const { output, width, height } = await transcodeClip({
      rotation: turn.rotation,
      container: 'mov',
    })
    expect({ width, height }).toEqual({ width: turn.width, height: turn.height })
    expect((await readClip(output)).pictures[0]?.hasDisplayMatrix).toBe(false)
    // As stored, the test picture's left bar is red and its right one cyan.
    const still = await readStill(output)
    const [red, cyan] = [still.at(...turn.red), still.at(...turn.cyan)]
    expect(red[0] > 200 && red[1] < 60 && red[2] < 60).toBe(true)
    expect(cyan[0] < 60 && cyan[1] > 200 && cyan[2] > 200).toBe(true)
  },
)

test('what OBS records is copied, picture and sound', async () => {
  const { source, output } = await transcodeClip({
    container: 'matroska',
    bFrames: 2,
    startSeconds: 1,
  })
  const [before, after] = [await readClip(source), await readClip(output)]
  expect(after.pictures[0]?.bytes).toBe(before.pictures[0]?.bytes)
  expect(after.sounds[0]?.bytes).toBe(before.sounds[0]?.bytes)
  const shift = before.pictures[0]?.times[0] ?? 0
  expect(after.pictures[0]?.times).toHaveLength(60)
  for (const [index, time] of (after.pictures[0]?.times ?? []).entries()) {
    const was = (before.pictures[0]?.times[index] ?? 0) - shift
    expect(time - (after.pictures[0]?.times[0] ?? 0)).toBeCloseTo(was, 3)
  }
  expect(after.durationSeconds).toBeCloseTo(2, 1)
})

test('a picture that fits is copied when only the sound needs work', async () => {
  const { source, output } = await transcodeClip({ container: 'matroska', audioCodec: 'opus' })
  const [before, after] = [await readClip(source), await readClip(output)]
  expect(after.pictures[0]?.bytes).toBe(before.pictures[0]?.bytes)
  expect(after.sounds[0]?.codec).toBe('aac')
})

test('only the first of several sound tracks remains', async () => {
  const { output } = await transcodeClip({
    container: 'matroska',
    audioCodec: 'opus',
    audioTracks: 3,
  })
  expect((await readClip(output)).sounds).toHaveLength(1)
})

test('the sound that remains is the first that is not silent', async () => {
  const { output } = await transcodeClip({
    container: 'matroska',
    audioTracks: 3,
    soundGains: [-200, -65, 0],
  })
  expect((await readSound(output)).pitch).toBe(1320)
})

test('a silent video stays silent', async () => {
  const { output } = await transcodeClip({ videoCodec: 'hevc', audioCodec: null })
  expect((await readClip(output)).sounds).toEqual([])
})

test('sound that begins late is heard late', async () => {
  const { output } = await transcodeClip({
    container: 'matroska',
    videoCodec: 'hevc',
    audioCodec: 'opus',
    audioDelaySeconds: 0.5,
  })
  expect((await readSound(output)).heardAt).toBeCloseTo(0.5, 1)
  expect((await readClip(output)).pictures[0]?.times[0]).toBeCloseTo(0, 2)
})

longTest('a long gap before the sound is filled with silence', async () => {
  const { output } = await transcodeClip({
    videoCodec: 'hevc',
    audioCodec: 'mp3',
    sampleRate: 44_100,
    seconds: 4,
    audioDelaySeconds: 2.7,
    audioSeconds: 1,
  })
  const { heardAt, seconds } = await readSound(output)
  expect(Math.abs(heardAt - 2.7)).toBeLessThan(0.05)
  expect(seconds).toBeCloseTo(3.7, 1)
})

longTest('a picture that begins late is held from the beginning', async () => {
  const { output, durationSeconds } = await transcodeClip({
    videoCodec: 'hevc',
    audioCodec: 'mp3',
    startSeconds: 2,
    audioDelaySeconds: -0.5,
  })
  const times = (await readClip(output)).pictures[0]?.times ?? []
  expect(times[0]).toBeCloseTo(0, 2)
  expect(times[1]).toBeCloseTo(0.5 + 1 / 30, 1)
  expect((await readSound(output)).heardAt).toBeLessThan(0.1)
  expect(durationSeconds).toBeCloseTo(2.5, 1)
})

longTest('a variable frame rate keeps the time of every picture', async () => {
  const { source, output } = await transcodeClip({
    container: 'matroska',
    videoCodec: 'hevc',
    audioCodec: 'opus',
    variableFrameRate: true,
  })
  const before = (await readClip(source)).pictures[0]?.times ?? []
  const after = (await readClip(output)).pictures[0]?.times ?? []
  expect(after).toHaveLength(before.length)
  for (const [index, time] of after.entries()) expect(time).toBeCloseTo(before[index] ?? 0, 2)
})

longTest('bursts of 120 frames a second become 60, whatever the average is', async () => {
  const filters = ["select='lt(t,1)+not(mod(n,8))'"]
  const uneven = { frameRate: 120, seconds: 3, filters, videoCodec: 'hevc' } as const
  const { output } = await transcodeClip(uneven)
  const times = (await readClip(output)).pictures[0]?.times ?? []
  expect(times.filter((time) => time < 1).length).toBeGreaterThan(58)
  expect(times.filter((time) => time < 1).length).toBeLessThan(63)
  expect(times.filter((time) => time >= 1)).toHaveLength(30)
})

longTest('60 frames a second lose none, however unevenly they were taken', async () => {
  const filters = ['settb=1/1000', "setpts='PTS+6*mod(N,2)+3*mod(N,3)'"]
  const uneven = { frameRate: 60, seconds: 2, filters, videoCodec: 'hevc' } as const
  const { output } = await transcodeClip(uneven)
  expect((await readClip(output)).pictures[0]?.times).toHaveLength(120)
})

longTest('120 frames a second become 60 evenly', async () => {
  const { output } = await transcodeClip({ frameRate: 120, seconds: 1 })
  const times = (await readClip(output)).pictures[0]?.times ?? []
  expect(times).toHaveLength(60)
  for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 60, 3)
})

longTest('144 frames a second become 60', async () => {
  const { output } = await transcodeClip({ frameRate: 144, seconds: 1, videoCodec: 'mpeg4' })
  const times = (await readClip(output)).pictures[0]?.times ?? []
  expect(times.length).toBeGreaterThan(58)
  expect(times.length).toBeLessThanOrEqual(61)
})

longTest('there is a key frame every two seconds', async () => {
  const { output } = await transcodeClip({ seconds: 5, videoCodec: 'mpeg4', keyFrameSeconds: 10 })
  const keys = (await readClip(output)).pictures[0]?.keyTimes ?? []
  for (const second of [0, 2, 4]) {
    expect(keys.some((key) => Math.abs(key - second) < 0.04)).toBe(true)
  }
})

longTest('no metadata comes along', async () => {
  const { source, output } = await transcodeClip({
    container: 'matroska',
    videoCodec: 'hevc',
    metadata: { title: 'My secret title', comment: 'made with a tool', location: '+52.5/' },
  })
  expect((await readClip(source)).tags.join()).toContain('secret')
  expect((await readClip(output)).tags.join()).not.toMatch(/secret|tool|52\.5|Lavf/i)
})

longTest('progress rises and ends below or at 100', async () => {
  const { percents } = await transcodeClip({
    width: 1280,
    height: 720,
    frameRate: 60,
    seconds: 3,
    container: 'avi',
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
  })
  expect(percents.length).toBeGreaterThan(1)
  expect(percents).toEqual([...percents].sort((a, b) => a - b))
  expect(Math.min(...percents)).toBeGreaterThan(0)
  expect(Math.max(...percents)).toBeLessThanOrEqual(100)
})

longTest(
  'nothing is said to be done before the start, where the first packets of sound are',
  async () => {
    const { seconds } = await transcodeClip({
      container: 'matroska',
      videoCodec: 'mpeg4',
      audioCodec: 'mp3',
      seconds: 4,
    })
    expect(seconds.length).toBeGreaterThan(0)
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(0)
  },
)

longTest(
  'a recording that begins with pictures that lean on what is not there begins with its key frame',
  async () => {
    const source = await makeClip({
      path: join(folder, `clip-${count++}`),
      ...{ container: 'matroska', audioCodec: 'opus', seconds: 4, keyFrameSeconds: 1 },
      ...{
        encoderOptions: { 'x264-params': 'bframes=3:b-adapt=0:open-gop=1' },
        dropsFirstSeconds: 0.9,
      },
    })
    const { output } = await transcodeFile(source)
    const { pictures, complaints } = await readShownPictures(output)
    expect(complaints.filter((one) => /key frame|edit list|index entry/i.test(one))).toEqual([])
    const [shown] = (await readClip(output)).pictures
    expect(shown?.keyTimes[0]).toBe(shown?.times[0])
    expect(pictures).toHaveLength(shown?.times.length ?? 0)
  },
)

test('what is left of a cut-off recording is played', async () => {
  const path = await makeClip({
    path: join(folder, 'cut.mkv'),
    container: 'matroska',
    videoCodec: 'mpeg4',
    seconds: 4,
  })
  await truncate(path, (await stat(path)).size / 2)
  const { durationSeconds, output } = await transcodeFile(path)
  expect(durationSeconds).toBeGreaterThan(0.5)
  expect(durationSeconds).toBeLessThan(3.9)
  expect((await readClip(output)).durationSeconds).toBeCloseTo(durationSeconds, 1)
})
