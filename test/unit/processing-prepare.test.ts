import { mkdir, open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMp4WebVtt } from '#server/video/processing/source/text-packets.ts'
import type { PrepareResult } from '#server/video/processing/tasks/media-task.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip, readClip, readSound, readStill } from '#test/support/clips.ts'
import { joinClip } from '#test/support/joined-clip.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const folder = setUpFolder('prepare')
let count = 0

type Prepared = PrepareResult & { source: string; output: string; video: string; poster: string }

async function prepareFile(source: string): Promise<Prepared> {
  const output = join(folder, `out-${count++}`)
  await mkdir(output)
  const result = await runMediaTask(
    { kind: 'prepare', sourcePath: source, outputFolder: output },
    { timeoutMs: 30_000 },
  )
  const [video, poster] = [join(output, 'video.mp4'), join(output, 'poster.jpg')]
  return { ...result, source, output, video, poster }
}

async function prepareClip(options: Omit<ClipOptions, 'path'>): Promise<Prepared> {
  return prepareFile(await makeClip({ path: join(folder, `clip-${count++}`), ...options }))
}

/** The names of an MP4's outermost boxes, in their order. */
async function listBoxes(path: string): Promise<string[]> {
  const file = await open(path)
  const header = Buffer.alloc(16)
  const names: string[] = []
  for (let at = 0; (await file.read(header, 0, 16, at)).bytesRead >= 8; ) {
    names.push(header.toString('latin1', 4, 8))
    const size = header.readUInt32BE(0)
    at += size === 1 ? Number(header.readBigUInt64BE(8)) : size
  }
  await file.close()
  return names.filter((name) => name !== 'free')
}

test('an H.264 and AAC MP4 is remuxed with its index in front and gets a poster', async () => {
  const { probe, ...files } = await prepareClip({})
  expect(probe).toEqual({
    container: 'mp4',
    durationSeconds: 2,
    width: 320,
    height: 180,
    rotation: 0,
    frameRate: 30,
    videoCodec: 'h264',
    audioCodecs: ['aac'],
    playsAsIs: true,
    soundLanguage: null,
  })
  expect(files).toMatchObject({ videoFile: 'video.mp4', posterFile: 'poster.jpg' })
  expect(await listBoxes(files.source)).toEqual(['ftyp', 'mdat', 'moov'])
  expect(await listBoxes(files.video)).toEqual(['ftyp', 'moov', 'mdat'])
  const [before, after] = [await readClip(files.source), await readClip(files.video)]
  expect(after.pictures).toEqual(before.pictures)
  expect(after.sounds).toEqual(before.sounds)
  expect(await readdir(files.output)).toEqual(['poster.jpg', 'video.mp4'])
})

test('nothing personal from the container comes along', async () => {
  const { source, video } = await prepareClip({
    container: 'mov',
    metadata: {
      title: 'My secret title',
      author: 'Ann Example',
      comment: 'made with a tool',
      location: '+52.5200+013.4050/',
      'com.apple.quicktime.location.ISO6709': '+52.5200+013.4050/',
    },
    muxerOptions: { movflags: 'use_metadata_tags' },
  })
  expect((await readClip(source)).tags.join()).toContain('+52.5200')
  const { tags } = await readClip(video)
  expect(
    tags.filter(
      (tag) => !/^(\w+_brands?|minor_version|language|handler_name|vendor_id)=/.test(tag),
    ),
  ).toEqual([])
  expect(tags.join()).not.toMatch(/secret|Ann|tool|52\.5|Lavf/)
})

const TURNS = [
  { rotation: 90, width: 180, height: 320, top: 'red' },
  { rotation: 180, width: 320, height: 180, top: 'cyan' },
  { rotation: 270, width: 180, height: 320, top: 'cyan' },
] as const

test.each(isLongForm ? TURNS : TURNS.slice(0, 1))(
  'a phone clip turned by $rotation keeps that and has an upright poster',
  async (turn) => {
    const { probe, video, poster } = await prepareClip({
      container: 'mov',
      rotation: turn.rotation,
    })
    expect(probe).toMatchObject({ rotation: turn.rotation, width: turn.width, height: turn.height })
    expect(probe.playsAsIs).toBe(true)
    expect((await readClip(video)).pictures[0]?.hasDisplayMatrix).toBe(true)
    const still = await readStill(poster)
    expect([still.width, still.height]).toEqual([turn.width, turn.height])
    // The test picture has a red bar on its left and a cyan one on its right.
    const [red, green] = turn.rotation === 180 ? still.at(0.05, 0.5) : still.at(0.5, 0.05)
    expect(turn.top === 'red' ? red > 200 && green < 60 : red < 60 && green > 200).toBe(true)
  },
)

test('all AAC tracks and a late sound remain', async () => {
  const { probe, video } = await prepareClip({ audioTracks: 3, audioDelaySeconds: 0.5 })
  expect(probe.audioCodecs).toEqual(['aac', 'aac', 'aac'])
  expect(probe.durationSeconds).toBeCloseTo(2.5, 1)
  expect((await readClip(video)).sounds).toHaveLength(3)
  expect((await readSound(video)).heardAt).toBeCloseTo(0.5, 1)
})

/** Silence takes an encoder next to nothing. */
const weightsOf = async (path: string) =>
  (await readClip(path)).sounds.map(({ bytes }) => (bytes > 4000 ? 'sound' : 'silence'))

test('of several sound tracks the first that is not silent comes first', async () => {
  const names = { audioTracks: 3, audioHandlers: ['System sounds', 'Microphone', 'Chat'] }
  const second = await prepareClip({ ...names, soundGains: [-200, 0, 0] })
  expect(await weightsOf(second.video)).toEqual(['sound', 'silence', 'sound'])
  const rustle = await prepareClip({ ...names, soundGains: [-58, -200, 0] })
  expect((await readClip(rustle.video)).sounds).toHaveLength(3)
})

test('a track that is heard for a moment only is not silent, and where all are the first stays first', async () => {
  const beep = { flashSeconds: 1.8, audioTracks: 2, audioLanguages: ['eng', 'ger'] }
  expect((await prepareClip({ ...beep })).probe.soundLanguage).toBe('eng')
  const silent = { ...beep, soundGains: [-200, -200] }
  expect((await prepareClip(silent)).probe.soundLanguage).toBe('eng')
  const second = { ...beep, soundGains: [-200, 0] }
  expect((await prepareClip(second)).probe.soundLanguage).toBe('ger')
})

test('text tracks of Matroska and MP4 are taken out as WebVTT, and those of pictures left out', async () => {
  const at = { fromSeconds: 0.5, seconds: 0.5 }
  const { texts, output } = await prepareClip({
    container: 'matroska',
    startSeconds: 1,
    texts: [
      {
        codec: 'subrip',
        language: 'ger',
        title: 'Deutsch',
        cues: [{ fromSeconds: 1.5, seconds: 0.5, words: '<i>Hallo</i>\r\n\r\nWelt --> da' }],
      },
      { codec: 'pgs', language: 'eng', cues: [{ ...at, words: 'PG' }] },
      {
        codec: 'ass',
        cues: [
          {
            fromSeconds: 1.5,
            seconds: 1,
            words: '0,0,Default,,0,0,0,,{\\an8}One, {\\i1}two{\\i0}\\N3 < 4',
          },
          { fromSeconds: 1.5, seconds: 1, words: '1,0,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}' },
        ],
      },
      {
        codec: 'webvtt',
        language: 'fr-CA',
        cues: [{ fromSeconds: 2, seconds: 0.5, words: 'Salut' }],
      },
      {
        codec: 'subrip',
        cues: [{ fromSeconds: 1, seconds: 1, words: '[latitude: 52.5] [longitude: 13.4]' }],
      },
    ],
  })
  expect(texts).toEqual([
    { file: 'captions-1.vtt', language: 'ger', name: 'Deutsch' },
    { file: 'captions-2.vtt', language: null, name: null },
    { file: 'captions-3.vtt', language: 'fr', name: null },
  ])
  const bodies = texts.map(({ file }) => readFile(join(output, file), 'utf8'))
  expect(await Promise.all(bodies)).toEqual([
    'WEBVTT\n\n00:00:00.500 --> 00:00:01.000\n<i>Hallo</i>\nWelt --&gt; da\n',
    'WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nOne, two\n3 &lt; 4\n',
    'WEBVTT\n\n00:00:01.000 --> 00:00:01.500\nSalut\n',
  ])

  const mp4 = await prepareClip({
    texts: [{ codec: 'mov_text', language: 'spa', cues: [{ ...at, words: 'a < b\nOlé' }] }],
  })
  expect(mp4.texts).toEqual([{ file: 'captions-1.vtt', language: 'spa', name: null }])
  expect(await readFile(join(mp4.output, 'captions-1.vtt'), 'utf8')).toBe(
    'WEBVTT\n\n00:00:00.500 --> 00:00:01.000\na &lt; b\nOlé\n',
  )
  expect((await readClip(mp4.video)).tags.join()).not.toContain('spa')
})

test('WebVTT in an MP4 is read, which no library but the trimmer writes', async () => {
  const cue = (words: string) => {
    const box = (type: string, content: Buffer) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(8 + content.length)
      head.write(type, 4, 'latin1')
      return Buffer.concat([head, content])
    }
    return box(
      'vttc',
      Buffer.concat([box('sttg', Buffer.from('line:1')), box('payl', Buffer.from(words))]),
    )
  }
  expect(readMp4WebVtt(Buffer.concat([cue('One'), cue('Two\nlines')]))).toEqual([
    'One',
    'Two\nlines',
  ])
  expect(readMp4WebVtt(Buffer.from('\0\0\0\x08vtte', 'latin1'))).toEqual([])
  expect(readMp4WebVtt(cue('One').subarray(0, 20))).toEqual([])
})

test('a silent clip stays silent', async () => {
  const { probe, video } = await prepareClip({ audioCodec: null })
  expect(probe).toMatchObject({ audioCodecs: [], playsAsIs: true })
  expect((await readClip(video)).sounds).toEqual([])
})

test('a fragmented recording becomes an ordinary MP4', async () => {
  const { probe, source, video } = await prepareClip({
    muxerOptions: { movflags: 'frag_keyframe+empty_moov' },
  })
  expect(await listBoxes(source)).toContain('moof')
  expect(await listBoxes(video)).toEqual(['ftyp', 'moov', 'mdat'])
  expect(probe.durationSeconds).toBeCloseTo(2, 1)
})

longTest('a long recording is the same afterwards, with its index in front', async () => {
  const seconds = 10
  const options = { width: 160, height: 90, frameRate: 12, bFrames: 2, seconds }
  const sounds = { audioTracks: 2, audioDelaySeconds: 0.3, sampleRate: 16_000 }
  const part = await makeClip({ path: join(folder, 'part.mp4'), ...options, ...sounds })
  const whole = await joinClip(join(folder, 'whole.mp4'), { part, times: 121, seconds })
  const { probe, source, video } = await prepareFile(whole)
  expect(probe.durationSeconds).toBeCloseTo(1210.3, 1)
  expect(await listBoxes(video)).toEqual(['ftyp', 'moov', 'mdat'])
  const [before, after] = [await readClip(source), await readClip(video)]
  expect(after.durationSeconds).toBeCloseTo(before.durationSeconds, 2)
  expect(after.pictures).toEqual(before.pictures)
  expect(after.sounds).toEqual(before.sounds)
})

test('a file that does not begin at 0 does so afterwards, in sync', async () => {
  const { probe, video } = await prepareClip({ startSeconds: 3, audioDelaySeconds: -0.5 })
  expect(probe.durationSeconds).toBeCloseTo(2.5, 1)
  const { pictures, sounds } = await readClip(video)
  const lead = (pictures[0]?.times[0] ?? 0) - (sounds[0]?.times[0] ?? 0)
  expect(sounds[0]?.times[0]).toBeCloseTo(0, 1)
  expect(lead).toBeCloseTo(0.5, 1)
})

const TO_ENCODE = [
  ['10-bit H.264', { pixelFormat: 'yuv420p10le' }],
  ['4:4:4 H.264', { pixelFormat: 'yuv444p' }],
  ['interlaced H.264', { interlaced: true, frameRate: 50 }],
  ['HEVC', { videoCodec: 'hevc' }],
  ['MP3 sound', { audioCodec: 'mp3' }],
  ['Matroska', { container: 'matroska' }],
  ['AVI', { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' }],
  ['WebM', { container: 'webm', videoCodec: 'vp9', audioCodec: 'opus' }],
] satisfies [string, Omit<ClipOptions, 'path'>][]

test.each(quickCases(TO_ENCODE, ['10-bit H.264', 'interlaced H.264', 'HEVC', 'MP3 sound']))(
  '%s is examined but not remuxed',
  async (_name, options) => {
    const { probe, videoFile, posterFile, output } = await prepareClip(options)
    expect(probe).toMatchObject({ playsAsIs: false, width: 320, height: 180 })
    expect(Math.abs(probe.durationSeconds - 2)).toBeLessThan(0.15)
    expect({ videoFile, posterFile }).toEqual({ videoFile: null, posterFile: 'poster.jpg' })
    expect(await readdir(output)).toEqual(['poster.jpg'])
  },
)

test('the length of a live recording without one is counted', async () => {
  const { probe } = await prepareClip({
    container: 'matroska',
    seconds: 3,
    muxerOptions: { live: '1' },
  })
  expect(probe.durationSeconds).toBeCloseTo(3, 1)
})

longTest('oblong pixels widen the size and the poster', async () => {
  const { probe, poster } = await prepareClip({ sampleAspectRatio: '4/3' })
  expect(probe).toMatchObject({ width: 427, height: 180, playsAsIs: true })
  expect(await readStill(poster)).toMatchObject({ width: 426, height: 180 })
})

test('a poster fits inside 1280x720', async () => {
  const { poster } = await prepareClip({ width: 1080, height: 1920, seconds: 0.2 })
  expect(await readStill(poster)).toMatchObject({ width: 404, height: 720 })
})

test.each(isLongForm ? [0.5, 10] : [10])(
  'the poster is not from the black beginning (key frames every %d s)',
  async (seconds) => {
    const { poster } = await prepareClip({ blackSeconds: 1, seconds: 3, keyFrameSeconds: seconds })
    const still = await readStill(poster)
    expect(Math.max(...still.at(0.05, 0.5))).toBeGreaterThan(150)
  },
)

/** Once the clip has become what it should be, there is a red mark in its corner. */
const marked = (from: number) =>
  `drawbox=x=0:y=0:w=iw/5:h=ih/5:color=red:thickness=fill:enable='gte(t,${from})'`
const plain = "drawbox=x=iw/2:w=iw/2:color=gray:thickness=fill:enable='gte(t,2.2)'"

const SPOILT: [string, string[]][] = [
  ['blurred', ["boxblur=6:enable='lt(t,2.2)'"]],
  ['blurred sideways, as by a turn of the view', ["avgblur=sizeX=12:sizeY=1:enable='lt(t,2.2)'"]],
  ['half faded to black', ["lutyuv=y=val/2+8:u=val/2+64:v=val/2+64:enable='lt(t,2.2)'", plain]],
  ['half faded to white', ["lutyuv=y=val/2+118:u=val/2+64:v=val/2+64:enable='lt(t,2.2)'", plain]],
]

test.each(quickCases(SPOILT, ['half faded to black']))(
  'the poster is not from the part that is %s',
  async (_name, filters) => {
    const { poster } = await prepareClip({
      ...{ width: 640, height: 360, seconds: 3, keyFrameSeconds: 0.2 },
      filters: ['format=yuv420p', ...filters, marked(2.2)],
    })
    const [red, green, blue] = (await readStill(poster)).at(0.1, 0.1)
    expect(red).toBeGreaterThan(200)
    expect(Math.max(green, blue)).toBeLessThan(60)
  },
)

test.each(isLongForm ? (['pq', 'hlg'] as const) : (['pq'] as const))(
  'the poster of a clip in %s has the colours of the web',
  async (dynamicRange) => {
    const { poster } = await prepareClip({
      ...{ container: 'mov', dynamicRange, seconds: 0.4 },
      ...{ videoCodec: 'hevc', pixelFormat: 'yuv420p10le' },
    })
    // The second bar is pure green; taken as it is, what the wider space calls so is 222.
    const [red, green, blue] = (await readStill(poster)).at(0.25, 0.65)
    expect(green).toBeGreaterThan(235)
    expect(Math.max(red, blue)).toBeLessThan(16)
  },
)

test('a clip that is all black still has a poster', async () => {
  expect((await prepareClip({ blackSeconds: 2 })).posterFile).toBe('poster.jpg')
})

test('a picture whose decoder no recording needs is refused, although FFmpeg has one', async () => {
  const source = await makeClip({
    ...{ path: join(folder, 'cinepak.avi'), container: 'avi', videoCodec: 'mpeg4' },
    audioCodec: 'mp3',
  })
  const bytes = await readFile(source)
  for (let at = bytes.indexOf('FMP4'); at >= 0; at = bytes.indexOf('FMP4')) bytes.write('cvid', at)
  expect(bytes.includes('cvid')).toBe(true)
  await writeFile(source, bytes)
  await expect(prepareFile(source)).rejects.toMatchObject({
    kind: 'unprocessable',
    message: 'This kind of video cannot be read.',
  })
})

test('a clip of three frames is a video', async () => {
  const { probe, posterFile } = await prepareClip({ seconds: 0.1, audioCodec: null })
  expect(probe.durationSeconds).toBeCloseTo(0.1, 2)
  expect(posterFile).toBe('poster.jpg')
})

test('a variable frame rate is recognised by what was counted', async () => {
  const { probe } = await prepareClip({ variableFrameRate: true, seconds: 3 })
  expect(probe.frameRate).toBeCloseTo(18, 0)
  expect(probe.durationSeconds).toBeCloseTo(3, 1)
})

test('a cut-off MP4 with its index in front is as long as what is left of it', async () => {
  const path = await makeClip({
    path: join(folder, 'cut.mp4'),
    seconds: 4,
    muxerOptions: { movflags: 'faststart' },
  })
  await truncate(path, (await stat(path)).size / 2)
  const { probe, video } = await prepareFile(path)
  expect(probe.durationSeconds).toBeGreaterThan(1)
  expect(probe.durationSeconds).toBeLessThan(3)
  expect((await readClip(video)).durationSeconds).toBeCloseTo(probe.durationSeconds, 1)
})
