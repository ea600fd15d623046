/**
 * `npm run demo [-- --keep DIR] [--videos N] [--seed N]`: a temporary site with members, generated
 * videos and a history. Listens at PORT and HOST; `--keep` keeps its data folder.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from '#server/command/command-line.ts'
import { readConfig } from '#server/platform/config.ts'
import { CommandError } from '#server/platform/errors.ts'
import { makeFolder } from '#server/platform/files/make-folder.ts'
import { foundSite, planCommunity } from './demo/found-site.ts'
import { liveOn } from './demo/live-on.ts'
import { startSite } from './demo/live-site.ts'
import { startRecorder } from './demo/recording/recorder.ts'
import { planVideos, VIDEOS_MAX } from './demo/video-plan.ts'

const USAGE = `Usage: npm run demo [-- --keep DIR] [--videos N, 2 to ${VIDEOS_MAX}] [--seed N]`

await runCommand(async () => {
  const { keep, count, seed } = readOptions()
  if (readConfig().databaseUrl) {
    throw new CommandError('DATABASE_URL is set, and a demo is a site in a folder of its own.')
  }
  const began = Math.floor(performance.timeOrigin)
  const folder = keep ? await openFolder(keep) : await mkdtemp(join(tmpdir(), 'clutch-demo-'))
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ending.abort())
  try {
    await run({ folder, isKept: keep !== undefined, count, seed, began, ending })
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    if (!keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return 0
})

type Demo = {
  folder: string
  isKept: boolean
  count: number
  seed: number
  /** Unix milliseconds. */
  began: number
  ending: AbortController
}

async function run({ folder, isKept, count, seed, began, ending }: Demo): Promise<void> {
  const { signal } = ending
  const recordings = join(folder, 'recordings')
  await mkdir(recordings)
  const recorder = startRecorder()
  // Ends the awaited recording.
  signal.addEventListener('abort', () => recorder.stop())
  try {
    const community = planCommunity({ seed, until: began })
    const videos = planVideos(count, community)
    // Recording takes about as long as creating the site.
    const first = recorder.make({
      path: join(recordings, '0.mp4'),
      recording: videos[0]?.recording,
      isUrgent: true,
    })
    first.catch(() => {})
    const password = randomBytes(6).toString('base64url')
    const lists = await foundSite(folder, { community, password })
    const site = await startSite(folder)
    let isOver = false
    site.ended.then(() => {
      // Without this, the abort would hide the error that ended the site.
      if (isOver || signal.aborted) return
      say('The site ended by itself.')
      process.exitCode = 1
      ending.abort()
    })
    say(`Log in as ${community.members[0]?.username}, the admin, with the password ${password}.`)
    say(
      `${isKept ? 'The site stays' : 'Until you end it with Ctrl+C, the site lies'} in ${folder}.`,
    )
    const { origin } = site
    try {
      await liveOn({
        ...{ dataFolder: folder, recordings, began, signal },
        origin,
        recorder,
        videos,
        community,
        lists,
        first,
      })
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      isOver = true
      await site.stop()
    }
  } finally {
    await recorder.stop()
    await rm(recordings, { recursive: true })
  }
}

async function openFolder(name: string): Promise<string> {
  const folder = resolve(name)
  await makeFolder(folder, '--keep')
  if ((await readdir(folder)).length === 0) return folder
  throw new CommandError(`${folder} is not empty. Choose a new folder.`)
}

function readOptions(): { keep: string | undefined; count: number; seed: number } {
  const text = { type: 'string' } as const
  const { values, positionals } = readArguments(
    { keep: text, videos: { ...text, default: '60' }, seed: { ...text, default: '7' } },
    USAGE,
  )
  const [count, seed] = [Number(values.videos), Number(values.seed)]
  const isRight =
    positionals.length === 0 &&
    Number.isInteger(count) &&
    count >= 2 &&
    count <= VIDEOS_MAX &&
    Number.isSafeInteger(seed)
  if (!isRight) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  return { keep: values.keep, count, seed }
}
