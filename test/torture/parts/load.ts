import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '#test/support/clips.ts'
import { npmStart } from '#test/support/npm-start.ts'
import { runCommand } from '#test/support/run-command.ts'
import { readLoopDelay, watchServer } from '../load/server-watch.ts'
import { keepTranscoding, keepUploading, type UploadRecord } from '../load/uploads.ts'
import { prepareOrder, register, sendTraffic } from '../load/visitors.ts'
import type { Figure, TortureInput, TorturePart, TortureResult } from '../part.ts'
import { type SiteProcess, startSiteProcess } from '../support/site-process.ts'

const SECONDS = 600
const PER_SECOND = 300
const VISITORS = 200
/** A fifth of the visitors is signed in. */
const MEMBERS = 40
const UPLOADERS = 4
const UPLOAD_BYTES = 32 * 1024 * 1024
const WARM_UP_SECONDS = 10

const HOME_P99_MS = 250
const CHUNK_P99_MS = 800
const LOOP_P99_MS = 50
const MEMORY_MB = 512

const LOOP_DELAY = join(import.meta.dirname, '..', 'load', 'loop-delay.ts')

export const part: TorturePart = {
  name: 'load',
  description: `${VISITORS} visitors, ${PER_SECOND} requests a second, ${UPLOADERS} uploads and a transcode; a round is a second`,
  async run(input) {
    if (process.platform !== 'linux') {
      return {
        figures: [],
        failures: [],
        skipped: 'memory is read from /proc, which is Linux alone',
      }
    }
    const clips = await makeClips(input)
    const delayFile = join(input.folder, 'loop-delay.json')
    const dataFolder = join(input.folder, 'data')
    // As `npm start` starts it, but for what watches the event loop.
    const flags = [...npmStart.flags, '--import', LOOP_DELAY]
    const env = { ...npmStart.environment, LOOP_DELAY_FILE: delayFile, RENDITIONS: '1080,720,480' }
    const server = await startSiteProcess({ dataFolder, env, flags })
    if (!server.answered) throw new Error(`The site did not start: ${server.output.join('')}`)
    try {
      return await putLoad(input, { server, clips, delayFile })
    } finally {
      await server.kill('SIGTERM')
    }
  },
}

type Clips = { playable: Buffer; recording: Buffer }
type Site = { server: SiteProcess; clips: Clips; delayFile: string }

/** Fills the site, and makes what is uploaded: an MP4 that plays as it is, and an AVI to be transcoded. */
async function makeClips({ folder, seed, log }: TortureInput): Promise<Clips> {
  const small = join(folder, 'small.mp4')
  const recording = join(folder, 'recording.avi')
  log('making clips')
  await makeClip({ path: small, width: 1280, height: 720, seconds: 10 })
  const codecs = { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
  await makeClip({ path: recording, ...codecs, width: 1920, height: 1080, seconds: 30 })
  log('filling a site')
  const sizes = ['--users', '200', '--videos', '5000', '--comments', '20000']
  const args = [...sizes, '--media', small, '--seed', String(seed)]
  const { code, err } = await runCommand('seed', { dataFolder: join(folder, 'data'), args })
  if (code !== 0) throw new Error(`The site could not be filled: ${err}`)
  const clip = await readFile(small)
  return { playable: padded(clip), recording: await readFile(recording) }
}

/** An MP4 with so much of nothing behind it that it is as long as a recording of some minutes. */
function padded(clip: Buffer): Buffer {
  const box = Buffer.alloc(UPLOAD_BYTES - clip.length)
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4, 'latin1')
  return Buffer.concat([clip, box])
}

async function putLoad(input: TortureInput, site: Site): Promise<TortureResult> {
  const { server, clips, delayFile } = site
  const { origin, pid } = server
  const seconds = input.rounds ?? SECONDS
  const crowd = { visitors: VISITORS, members: MEMBERS, perSecond: PER_SECOND }
  const order = { ...(await prepareOrder(origin, crowd)), seed: input.seed }
  await sendTraffic({ ...order, seconds: WARM_UP_SECONDS })
  const stop = new AbortController()
  const record: UploadRecord = { chunkTimes: [], completeTimes: [], failures: [] }
  const transcodes: UploadRecord = { chunkTimes: [], completeTimes: [], failures: [] }
  const uploads: Promise<void>[] = []
  for (let index = 0; index <= UPLOADERS; index++) {
    const uploader = {
      origin,
      cookie: await register(origin, `uploader-${index}`),
      signal: stop.signal,
    }
    uploads.push(
      index < UPLOADERS
        ? keepUploading(uploader, { file: clips.playable, record })
        : keepTranscoding(uploader, { file: clips.recording, record: transcodes }),
    )
  }
  const watch = watchServer(pid)
  await readLoopDelay(pid, delayFile)
  input.log(`${seconds} s of load`)
  const traffic = await sendTraffic({ ...order, seconds })
  const loop = await readLoopDelay(pid, delayFile)
  const { memoryPeak, mediaShare, cpuShare, cpuSeconds } = await watch.stop()
  stop.abort()
  await Promise.all(uploads)
  const failures = [...traffic.failures, ...record.failures, ...transcodes.failures]
  const requests = Object.values(traffic.times).flat().length
  const limits: Limit[] = [
    ['home list, p99', percentile(traffic.times['home list'], 99), HOME_P99_MS, 'ms'],
    ['chunk, p99', percentile(record.chunkTimes, 99), CHUNK_P99_MS, 'ms'],
    ['event loop delay, p99', loop.p99, LOOP_P99_MS, 'ms'],
    ['memory of the server, at most', memoryPeak, MEMORY_MB, 'MB'],
  ]
  for (const [what, value, most, unit] of limits) {
    if (!(value <= most)) failures.push(`${what} was ${value.toFixed(1)} ${unit}, over ${most}.`)
  }
  const figures: Figure[] = [
    { what: 'requests', value: requests },
    { what: 'errors', value: failures.length, limit: '0' },
    ...limits.map(([what, value, most, unit]) => ({
      ...{ what: `${what}, ${unit}`, value, limit: `at most ${most}` },
    })),
    ...Object.entries(traffic.times).map(([kind, times]) => describe(kind, times)),
    describe('chunk', record.chunkTimes),
    describe('complete', record.completeTimes),
    {
      what: 'event loop delay, p50 and at most, ms',
      value: `${loop.p50.toFixed(1)}, ${loop.max.toFixed(0)}`,
    },
    { what: 'processor time of the server, share of a core', value: cpuShare },
    {
      what: 'the same for one request, chunks included, ms',
      value: (cpuSeconds * 1000) / requests,
    },
    { what: 'media work was under way, share of the time', value: mediaShare },
    { what: 'sent late by the visitors themselves, p99, ms', value: percentile(traffic.late, 99) },
  ]
  return { figures, failures }
}

type Limit = [what: string, value: number, most: number, unit: string]

function describe(kind: string, times: number[]): Figure {
  const [half, most] = [percentile(times, 50), percentile(times, 99)]
  const value = `${half.toFixed(1)}, ${most.toFixed(0)}, ${Math.max(...times).toFixed(0)}`
  return { what: `${kind} (${times.length}): p50, p99 and at most, ms`, value }
}

function percentile(times: number[] | undefined, percent: number): number {
  const sorted = (times ?? []).toSorted((a, b) => a - b)
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
  )
}
