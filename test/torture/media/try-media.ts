import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '#test/support/clips.ts'
import type { ServerProcess } from '#test/support/server-process.ts'
import type { Figure } from '../part.ts'
import { sendVideo, type Uploader } from '../send-video.ts'
import { describeTaken, listLeftUploads, searchServed, waitForJobs } from './after-files.ts'
import {
  type Clips,
  makeDamaged,
  makeMp4Lies,
  makeOtherLies,
  makePolyglots,
} from './broken-containers.ts'
import { makeStreamLies } from './broken-streams.ts'
import { startCanary } from './canary.ts'
import { makeDisguises } from './disguises.ts'
import type { HostileFile, Lures } from './hostile-file.ts'
import { makeHostileCaptions, makeHostilePictures } from './hostile-pictures.ts'
import { CHILD_MAX_BYTES, watchMediaChildren } from './media-children.ts'
import { traceSyscalls } from './syscall-trace.ts'
import {
  addUploaders,
  merge,
  type Tried,
  tryCaptions,
  tryPictures,
  tryVideos,
} from './try-files.ts'

const MIB = 1024 ** 2
/** Looking into a file, with the files of others before it in the queue. */
const ANSWER_MAX_SECONDS = 150
const UPLOADERS = 3
const SMALL = { width: 160, height: 90, seconds: 1, frameRate: 15 } as const

type Input = { seed: number; folder: string; log?: (line: string) => void; isQuick: boolean }

/** Sends hostile files to a site, everywhere it takes files, and looks what became of them. */
export async function tryHostileMedia(server: ServerProcess, input: Input) {
  const { folder, log, isQuick } = input
  const canary = await startCanary()
  const neighbour = 'neighbour-4711.mp4'
  const lures: Lures = { canary: canary.address, neighbour, secret: 'secret-neighbour-bytes-4711' }
  const uploaders = await addUploaders(server, UPLOADERS)
  const files = await makeFiles(input, lures)
  const videoId = await addVideo(uploaders[0] as Uploader, files.whole)
  await waitForJobs(server)
  const trace = isQuick ? undefined : await traceSyscalls(server.pid, join(folder, 'trace'))
  const children = watchMediaChildren(server.pid)
  log?.(`${files.videos.length} videos`)
  const tried = await tryVideos(server, { uploaders, files: files.videos, lures })
  log?.(`${files.pictures.length} pictures, ${files.captions.length} captions`)
  merge(tried, await tryPictures({ uploaders, files: files.pictures, videoId, isQuick }))
  merge(tried, await tryCaptions({ uploaders, files: files.captions, videoId }))
  log?.('the work on what was taken')
  await waitForJobs(server)
  const watched = await children.stop()
  const calls = await trace?.stop()
  canary.close()
  const taken = await describeTaken(server)
  const served = await searchServed(server, { uploader: uploaders[0] as Uploader, lures })
  const left = await listLeftUploads(server)
  const reached = calls && listReached(calls, { lures, port: canary.port })
  const failures = [
    ...tried.failures,
    ...taken.failures,
    ...served.failures,
    ...left.map((name) => `The upload ${name} was left behind.`),
    ...(reached ?? []),
    ...(canary.visits() > 0 ? [`Somebody came to the canary ${canary.visits()} times.`] : []),
    ...(watched.peakBytes > CHILD_MAX_BYTES ? ['A child took more memory than it may.'] : []),
    ...(watched.left > 0 ? ['A child was left behind.'] : []),
    ...(tried.slowestSeconds > ANSWER_MAX_SECONDS ? ['An answer took too long.'] : []),
  ]
  const figures = [
    ...describeFiles(files, tried),
    { what: 'videos that became ready / failed later', value: `${taken.ready} / ${taken.failed}` },
    { what: 'served files searched for what must not be there', value: served.count },
    { what: 'visits to the canary', value: canary.visits(), limit: '0' },
    { what: 'files opened and connections made', value: calls?.length ?? 'not looked at' },
    {
      what: 'of these, that must not be',
      value: reached?.length ?? 'not looked at',
      limit: '0',
    },
    { what: 'processes for media', value: watched.count },
    {
      what: 'memory of one at most, MiB',
      value: Math.round(watched.peakBytes / MIB),
      limit: `${CHILD_MAX_BYTES / MIB}`,
    },
    { what: 'longest answer, s', value: tried.slowestSeconds, limit: `${ANSWER_MAX_SECONDS}` },
    { what: 'uploads left behind', value: left.length, limit: '0' },
  ]
  return { figures: figures as Figure[], failures }
}

async function makeFiles({ seed, folder, isQuick }: Input, lures: Lures) {
  const clip = async (name: string, options: Partial<Parameters<typeof makeClip>[0]>) =>
    readFile(await makeClip({ ...SMALL, path: join(folder, name), ...options }))
  const clips: Clips = {
    mp4: await clip('clip.mp4', {}),
    mkv: await clip('clip.mkv', { container: 'matroska' }),
    avi: await clip('clip.avi', { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' }),
    flv: await clip('clip.flv', { container: 'flv', bFrames: 2 }),
    ts: await clip('clip.ts', { container: 'mpegts', bFrames: 2 }),
    m2ts: await clip('clip.m2ts', {
      container: 'mpegts',
      audioCodec: 'ac3',
      muxerOptions: { mpegts_m2ts_mode: '1' },
    }),
    mpg: await clip('clip.mpg', {
      ...{ container: 'mpegps', videoCodec: 'mpeg2', audioCodec: 'mp2', frameRate: 25 },
    }),
    wmv: await clip('clip.wmv', { container: 'asf', videoCodec: 'wmv2', audioCodec: 'wmav2' }),
    ogv: await clip('clip.ogv', { container: 'ogg', videoCodec: 'vp8', audioCodec: 'opus' }),
    mjpeg: await clip('mjpeg.avi', { container: 'avi', videoCodec: 'mjpeg', audioCodec: null }),
  }
  const jpeg = takeJpeg(clips.mjpeg)
  const choose = (files: HostileFile[]) => files.filter(({ quick }) => quick || !isQuick)
  return {
    whole: clips.mp4,
    videos: choose([
      ...makeDisguises(lures),
      ...makeMp4Lies(clips, lures),
      ...makeOtherLies(clips, lures),
      ...makeStreamLies(clips),
      ...makePolyglots(clips),
      ...makeDamaged(clips, seed),
    ]),
    pictures: choose(makeHostilePictures(jpeg, lures)),
    captions: choose(makeHostileCaptions(lures)),
  }
}

/** The first picture of a film of JPEGs. */
function takeJpeg(film: Buffer): Buffer {
  const start = film.indexOf(Buffer.from([0xff, 0xd8, 0xff]))
  const end = film.indexOf(Buffer.from([0xff, 0xd9]), start)
  return film.subarray(start, end + 2)
}

async function addVideo(uploader: Uploader, bytes: Buffer): Promise<number> {
  const { status, text } = await sendVideo(uploader, { name: 'whole.mp4', bytes })
  if (status !== 200) throw new Error(`The whole clip was not taken: ${status} ${text}`)
  return (JSON.parse(text) as { videoId: number }).videoId
}

/** Files of others that were opened, and connections to the canary, in the system's own words. */
function listReached(calls: string[], { lures, port }: { lures: Lures; port: number }): string[] {
  return calls
    .filter((line) =>
      /openat?\(/.test(line)
        ? line.includes(lures.neighbour) || line.includes('/etc/passwd')
        : line.includes(`htons(${port})`),
    )
    .map((line) => `It did: ${line.slice(0, 300)}`)
}

function describeFiles(
  files: { videos: HostileFile[]; pictures: HostileFile[]; captions: HostileFile[] },
  { outcomes }: Tried,
): Figure[] {
  return [
    { what: 'hostile videos', value: files.videos.length, limit: '60 at least' },
    { what: 'hostile pictures, each in five places', value: files.pictures.length },
    { what: 'hostile captions', value: files.captions.length },
    ...[...outcomes]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([outcome, value]) => ({ what: `answered ${outcome}`, value })),
  ]
}
