import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, glob, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE, openDatabaseToRead } from '#server/platform/db/open.ts'
import { childFolder } from '#test/support/child-environment.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import type { BenchmarkInput } from './benchmark.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Stored between runs; safe to remove. */
const CACHE = join(tmpdir(), 'clutch-bench')
/** What rows look like is decided here. */
const SOURCES = [
  'src/server/platform/db/sqlite/migrations/*.ts',
  'src/tools/seed.ts',
  'src/tools/seed/*.ts',
]
/** Like a recording of 70 s at 1080p60; the default upload limit is 500 MB. */
const CLIP = { seconds: 70, frameRate: 60, width: 640, height: 360, videoBitRate: 57_000_000 }
/** As a recorder of game scenes makes it: some grain, which costs an encoder what leaves and smoke do. */
const RECORDING = {
  ...{ frameRate: 60, width: 1920, height: 1080, keyFrameSeconds: 2 },
  ...{ videoBitRate: 20_000_000, noise: 6 },
}
const MATCH = {
  ...{ seconds: 60, frameRate: 60, width: 1280, height: 720, keyFrameSeconds: 2 },
  ...{ videoBitRate: 8_000_000, noise: 6 },
}

/** So that their pictures weigh what those of games do. */
const SHORT_CLIPS = [12, 16, 20, 24, 28, 32].map((noise) => ({
  ...{ frameRate: 10, width: 1280, height: 720, videoBitRate: 3_000_000 },
  noise,
}))
/** Key frames of the size that games have; the longest of the site. */
const GAME_CLIP = {
  ...{ frameRate: 30, width: 1280, height: 720, videoBitRate: 6_000_000 },
  ...{ noise: 4, seconds: 45 },
}

/**
 * The data folder of a site with so many videos; made when no earlier run left one. Its database is read once, so that
 * the system has it in memory as that of a running site: what is measured is not the disk.
 */
export async function seededSite({
  videos,
  note,
}: Pick<BenchmarkInput, 'videos' | 'note'>): Promise<string> {
  const users = Math.max(20, Math.round(videos / 100))
  const sizes = { users, videos, comments: videos * 5 }
  const options = Object.entries(sizes).flatMap(([name, size]) => [`--${name}`, String(size)])
  const all = [...options, '--until', '2026-11-01']
  const folder = join(CACHE, `site-${await hashWithSources(all)}`)
  await makeOnce(folder, async (partial) => {
    note(`Seeding ${videos} videos …`)
    await runSeed(partial, all)
  })
  await readThrough(join(folder, DATABASE_FILE))
  return folder
}

async function readThrough(path: string): Promise<void> {
  for await (const _ of createReadStream(path, { highWaterMark: 1024 * 1024 }));
}

/**
 * The data folder of a site whose one video is as large as may be, without its ladder: what is prepared is
 * a short one, and the large one then takes its file's place.
 * @returns the folder, made when no earlier run left one, and the video's address
 */
export async function siteOfLargeClip(
  input: Pick<BenchmarkInput, 'note'>,
): Promise<{ dataFolder: string; videoUrl: string }> {
  const large = await largeClip(input)
  const short = await madeClip({ ...CLIP, seconds: 1 }, input.note)
  const dataFolder = await siteOf(short, { note: input.note, name: 'large' })
  const videoUrl = await findVideoUrl(dataFolder)
  const file = join(dataFolder, videoUrl)
  if ((await stat(file)).size !== (await stat(large)).size) await copyFile(large, file)
  return { dataFolder, videoUrl }
}

async function findVideoUrl(dataFolder: string): Promise<string> {
  const db = openDatabaseToRead(dataFolder)
  const { videoUrl } = await db.selectFrom('videos').select('videoUrl').executeTakeFirstOrThrow()
  await db.destroy()
  return videoUrl ?? ''
}

/** The data folder of a site whose one video is a minute of 720p60 with its ladder; as above. */
export async function siteOfMatch({ note }: Pick<BenchmarkInput, 'note'>): Promise<string> {
  return siteOf(await madeClip(MATCH, note), { note, name: 'match' })
}

/** An MP4 of nearly 500 MB that plays as it is; made when no earlier run left one. */
export async function largeClip({ note }: Pick<BenchmarkInput, 'note'>): Promise<string> {
  return madeClip(CLIP, note)
}

/** The same with sound that browsers need not play, so that it has to be prepared before it plays. */
export async function largeClipToPrepare({ note }: Pick<BenchmarkInput, 'note'>): Promise<string> {
  return madeClip({ ...CLIP, audioCodec: 'mp3' }, note)
}

/** So many seconds of 1080p60 as an AVI, which has to be encoded, or as an MP4, which plays as it is. */
export async function recording(
  { note }: Pick<BenchmarkInput, 'note'>,
  { container, seconds }: { container: 'avi' | 'mp4'; seconds: number },
): Promise<string> {
  const codecs = { videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
  return madeClip({ ...RECORDING, container, seconds, ...(container === 'avi' && codecs) }, note)
}

/** The data folder of a site of 600 videos with pictures, of six clips; as above. */
export async function siteOfPosters({ note }: Pick<BenchmarkInput, 'note'>): Promise<string> {
  const clips: string[] = []
  for (const [index, clip] of SHORT_CLIPS.entries()) {
    clips.push(await madeClip({ ...clip, seconds: 6 + 5 * index }, note))
  }
  clips.push(await madeClip(GAME_CLIP, note))
  const sizes = ['--users', '40', '--videos', '600', '--comments', '600', '--until', '2026-11-01']
  const all = [...sizes, ...clips.flatMap((clip) => ['--media', clip])]
  const folder = join(CACHE, `posters-${await hashWithSources(all)}`)
  await makeOnce(folder, async (partial) => {
    note('Preparing 600 videos with pictures …')
    await runSeed(partial, all)
  })
  return folder
}

async function siteOf(
  clip: string,
  { note, name }: { note: BenchmarkInput['note']; name: string },
): Promise<string> {
  const sizes = ['--users', '1', '--videos', '1', '--comments', '0']
  const all = [...sizes, '--media', clip]
  const folder = join(CACHE, `${name}-${await hashWithSources(all)}`)
  await makeOnce(folder, async (partial) => {
    note('Preparing the clip as an upload …')
    await runSeed(partial, all)
  })
  return folder
}

async function madeClip(
  clip: Omit<ClipOptions, 'path'> & { seconds: number },
  note: BenchmarkInput['note'],
): Promise<string> {
  const path = join(CACHE, `clip-${hashOf([JSON.stringify(clip)])}.mp4`)
  await makeOnce(path, async (partial) => {
    note(`Encoding a clip of ${clip.seconds} s …`)
    await makeClip({ ...clip, path: partial })
  })
  return path
}

async function makeOnce(path: string, make: (partial: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) return
  await mkdir(CACHE, { recursive: true })
  const partial = `${path}.partial`
  await rm(partial, { recursive: true, force: true })
  await make(partial)
  await rename(partial, path)
}

async function runSeed(dataFolder: string, options: string[]): Promise<void> {
  const script = join(ROOT, 'src', 'tools', 'seed.ts')
  const child = spawn(process.execPath, [script, ...options], {
    cwd: childFolder,
    env: { PATH: process.env.PATH, DATA_DIR: dataFolder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The site could not be seeded.')
}

/** A clip does not change with the rows, and takes minutes to encode. */
function hashOf(words: string[]): string {
  return createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 12)
}

async function hashWithSources(words: string[]): Promise<string> {
  const hash = createHash('sha256').update(words.join(' '))
  const names = await Array.fromAsync(glob(SOURCES, { cwd: ROOT }))
  for (const name of names.sort()) hash.update(await readFile(join(ROOT, name)))
  return hash.digest('hex').slice(0, 12)
}
