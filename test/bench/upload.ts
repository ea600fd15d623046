import { open } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { type Benchmark, type Measurement, secondsOf } from './benchmark.ts'
import { atLeast, atLeastTimes, atMost } from './goal.ts'
import { largeClip } from './seeded-site.ts'
import { sendChunk, type Target } from './send-chunk.ts'
import { type ServerChild, startFloor, startSite } from './server-child.ts'
import { FAST_LINE, sendThroughLine } from './upload-line.ts'

const TURNS = 10
/** As lines are measured. */
const MEGABYTE = 1_000_000
const FAR_BYTES = 50 * MEGABYTE
/** The lines have 20 Mb/s. */
const FAR_LINES = [50, 150].map((roundTripMs) => ({ bytesPerSecond: 2_500_000, roundTripMs }))

export const upload: Benchmark = {
  name: 'upload',
  title: 'Upload of a 500 MB video in chunks of 2 MiB',
  async run(input) {
    const path = await largeClip(input)
    const site = await startSite(join(input.workFolder, 'site'))
    const floor = await startFloor('discard-server')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const target: Target = { origin: site.origin, cookie: await register(site.origin), agent }
      const before = await site.memory('now')
      const bytes = await fileSize(path)
      const uploadId = await initialize(target, bytes)
      const bare = { origin: floor.origin, cookie: '', agent }
      const file = { path, uploadId, bytes }
      const written = join(input.workFolder, 'written')
      const cpuBefore = (await site.cpuSeconds()) ?? Number.NaN
      const seconds = await inTurns(bytes, {
        floor: (part) => sendChunks(bare, { ...file, part }),
        ours: (part) => sendChunks(target, { ...file, part }),
        write: (part) => writeChunks(path, { target: written, part }),
      })
      const cpu = ((await site.cpuSeconds()) ?? Number.NaN) - cpuBefore
      const peak = await site.memory('peak')
      const completion = await secondsOf(() => complete(target, uploadId))
      const line = await measureLine({ site, floor, target, path, bytes })
      const megabytes = bytes / 1024 / 1024
      const rate = { unit: 'MB/s', ours: megabytes / seconds.ours } as const
      return [
        {
          ...{ row: 'upload', what: 'hashed, and durable after each chunk', ...rate },
          ...{
            goal: atLeastTimes(0.25),
            floorName: 'bytes thrown away',
            floor: megabytes / seconds.floor,
          },
          remark: `then ${completion.toFixed(1)} s until it plays`,
        },
        {
          ...{ row: 'upload', what: 'the same', ...rate },
          ...{ floorName: 'write and fdatasync, no HTTP', floor: megabytes / seconds.write },
        },
        {
          ...{ row: 'upload', what: 'processor time of the server a GiB', unit: 's' },
          ...{ ours: (cpu / megabytes) * 1024, goal: atMost(6), floorName: null, floor: null },
        },
        ...line,
        {
          ...{
            row: 'upload',
            what: 'memory of the server, at most',
            unit: 'MB',
            ours: peak ?? Number.NaN,
            goal: atMost(250),
          },
          ...{ floorName: 'before the upload', floor: before ?? null },
        },
      ]
    } finally {
      agent.destroy()
      await Promise.all([site.stop(), floor.stop()])
    }
  },
}

/** As the upload list sends it: several chunks at once. */
async function measureLine(input: {
  site: ServerChild
  floor: ServerChild
  target: Target
  path: string
  bytes: number
}): Promise<Measurement[]> {
  const { site, floor, target, path, bytes } = input
  const anywhere = { uploadId: '', cookie: '' }
  const sent = { line: FAST_LINE, path, bytes }
  const bare = await sendThroughLine({ ...sent, port: floor.port, upload: anywhere })
  const uploadId = await initialize(target, bytes)
  const cpuBefore = (await site.cpuSeconds()) ?? Number.NaN
  const upload = { uploadId, cookie: target.cookie }
  const seconds = await sendThroughLine({ ...sent, port: site.port, upload })
  const cpu = ((await site.cpuSeconds()) ?? Number.NaN) - cpuBefore
  const far: Measurement[] = []
  for (const line of FAR_LINES) {
    const sent = { line, path, bytes: FAR_BYTES }
    const uploadId = await initialize(target, FAR_BYTES)
    const upload = { uploadId, cookie: target.cookie }
    far.push({
      ...{ row: 'upload-line', what: `50 MB over 20 Mb/s and ${line.roundTripMs} ms`, unit: 's' },
      ours: await sendThroughLine({ ...sent, port: site.port, upload }),
      floor: await sendThroughLine({ ...sent, port: floor.port, upload: anywhere }),
      floorName: 'bytes thrown away, on the same line',
    })
  }
  return [
    ...far,
    {
      ...{ row: 'upload-line', what: '500 MB over 1 Gb/s and 20 ms', unit: 'MB/s' },
      ...{ ours: bytes / MEGABYTE / seconds, goal: atLeast(118) },
      ...{ floorName: 'bytes thrown away, on the same line', floor: bytes / MEGABYTE / bare },
      remark: `MB of a million bytes; ${((cpu / bytes) * 1024 ** 3).toFixed(1)} s of CPU a GiB`,
    },
  ]
}

/** Chunks from one up to another. */
type Part = { from: number; to: number }

/** Does each kind of work for a tenth of the chunks at a time, so that a noisy moment meets all; seconds of each. */
async function inTurns<Name extends string>(
  bytes: number,
  works: Record<Name, (part: Part) => Promise<void>>,
): Promise<Record<Name, number>> {
  const total = Math.ceil(bytes / UPLOAD_CHUNK_BYTES)
  const step = Math.ceil(total / TURNS)
  const names = Object.keys(works) as Name[]
  const seconds = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  for (let from = 0; from < total; from += step) {
    const part = { from, to: Math.min(from + step, total) }
    for (const name of names) seconds[name] += await secondsOf(() => works[name](part))
  }
  return seconds
}

export async function fileSize(path: string): Promise<number> {
  const file = await open(path)
  const { size } = await file.stat()
  await file.close()
  return size
}

export async function register(origin: string): Promise<string> {
  const account = { username: 'bench', displayName: 'Bench', email: 'bench@example.org' }
  const answer = await postJson(`${origin}/api/register`, { ...account, password: 'clutch-demo' })
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

export async function initialize({ origin, cookie }: Target, fileSize: number): Promise<string> {
  const file = { fileName: 'clip.mp4', fileType: 'video/mp4', metadata: { title: 'A clip' } }
  const body = { ...file, fileSize }
  const answer = await postJson(`${origin}/api/uploads/initialize`, body, cookie)
  return ((await answer.json()) as { uploadId: string }).uploadId
}

/** @returns the new video's id */
export async function complete({ origin, cookie }: Target, uploadId: string): Promise<number> {
  const body = { uploadId, thumbnailUrl: null }
  const answer = await postJson(`${origin}/api/uploads/complete`, body, cookie)
  return ((await answer.json()) as { videoId: number }).videoId
}

async function postJson(url: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
  return answer
}

/** One chunk after the other, as the pages do it. */
export async function sendChunks(
  target: Target,
  upload: {
    path: string
    uploadId: string
    bytes: number
    part?: Part
    /** Asked before each chunk. */
    goesOn?: () => boolean
  },
): Promise<void> {
  const { path, uploadId, bytes, goesOn = () => true } = upload
  const total = Math.ceil(bytes / UPLOAD_CHUNK_BYTES)
  const { from, to } = upload.part ?? { from: 0, to: total }
  const file = await open(path)
  const buffer = Buffer.alloc(UPLOAD_CHUNK_BYTES)
  try {
    for (let index = from; index < to && goesOn(); index++) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, index * UPLOAD_CHUNK_BYTES)
      const fields = { uploadId, chunkIndex: index, totalChunks: total }
      await sendChunk(target, { fields, bytes: buffer.subarray(0, bytesRead) })
    }
  } finally {
    await file.close()
  }
}

/** The same bytes made as durable, by nothing but system calls. */
async function writeChunks(
  path: string,
  { target, part }: { target: string; part: Part },
): Promise<void> {
  const [source, copy] = [await open(path), await open(target, 'a')]
  const buffer = Buffer.alloc(UPLOAD_CHUNK_BYTES)
  try {
    for (let index = part.from; index < part.to; index++) {
      const at = index * UPLOAD_CHUNK_BYTES
      const { bytesRead } = await source.read(buffer, 0, buffer.length, at)
      await copy.write(buffer, 0, bytesRead)
      await copy.datasync()
    }
  } finally {
    await Promise.all([source.close(), copy.close()])
  }
}
