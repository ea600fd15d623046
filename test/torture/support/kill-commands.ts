import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Failpoint } from '#server/platform/failpoints.ts'
import { childEnvironment, childFolder } from '#test/support/child-environment.ts'
import { writeLaterVersion } from '#test/support/later-version.ts'
import { mediaVariables, WITH_MEDIA } from '#test/support/media-variables.ts'
import { createEmptyDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { type SmallSite, writeSmallSite } from '#test/support/small-site.ts'
import type { Cycle, KillSite } from './kill-site.ts'
import { startSiteProcess } from './site-process.ts'
import { doctorSite } from './stopped-site.ts'

const COMMANDS = join(import.meta.dirname, '..', '..', '..', 'src', 'server', 'command')

type Input = { site: KillSite; folder: string }

/** Kills a backup, a restore, a move of media or of the database, or an upgrade at a step, does it again, and looks at what came of it. */
export async function killCommandAt(step: Failpoint, input: Input): Promise<Cycle> {
  await rm(input.folder, { recursive: true, force: true })
  const [noun] = step.split('.')
  if (noun === 'backup') return killBackup(step, input)
  if (noun === 'restore') return killRestore(step, input)
  if (noun === 'move') return killMove(step, input)
  if (noun === 'move-database') return killDatabaseMove(step, input)
  return killUpgrade(step, input)
}

/** While the site runs; the site then goes on, and the next backup is whole. */
async function killBackup(step: Failpoint, { site, folder }: Input): Promise<Cycle> {
  const { dataFolder } = site
  const failures: string[] = []
  const cycle = await site.recover(async () => {
    const target = join(folder, 'backup')
    failures.push(...(await killCommand('backup', { step, dataFolder, word: target })))
    if (step !== 'backup.moved') {
      failures.push(...(await runWell('backup', { dataFolder, word: target })))
    }
    const restored = join(folder, 'restored')
    failures.push(...(await runWell('restore', { dataFolder: restored, word: target })))
    failures.push(...(await doctorSays(restored)))
  })
  return { ...cycle, failures: [...failures, ...cycle.failures] }
}

/** A restore that was killed is done again over what it left. */
async function killRestore(step: Failpoint, { site, folder }: Input): Promise<Cycle> {
  const word = join(folder, 'backup')
  const failures = await runWell('backup', { dataFolder: site.dataFolder, word })
  const dataFolder = join(folder, 'restored')
  failures.push(...(await killCommand('restore', { step, dataFolder, word })))
  failures.push(...(await runWell('restore', { dataFolder, word })))
  const names = await readdir(dataFolder)
  if (names.includes('restore.partial')) failures.push('The restore left its work folder.')
  const server = await startSiteProcess({ dataFolder })
  if (!server.answered) failures.push(`It did not start: ${server.output.join('')}`)
  await server.kill()
  failures.push(...(await doctorSays(dataFolder)))
  return { failures, startSeconds: server.startSeconds }
}

/** Of a small site, which is on PostgreSQL where the other one is. */
async function killUpgrade(step: Failpoint, { site, folder }: Input): Promise<Cycle> {
  const dataFolder = join(folder, 'old')
  const counts = await writeSmallSite(dataFolder)
  if (!site.env.DATABASE_URL) return killUpgradeOf({ step, folder, counts, env: {} })
  const bucket = await startS3Server()
  const media = bucket.mediaVariables('videos')
  const url = await createEmptyDatabase()
  try {
    const ofMedia = { dataFolder, args: ['folder', media.MEDIA_STORE], env: media }
    const ofRows = { dataFolder, args: [dataFolder, url] }
    const moves = [
      await runCommand('move-media', ofMedia),
      await runCommand('move-database', { ...ofRows, env: media }),
    ]
    const wrong = moves.filter(({ code }) => code !== 0).map(({ err }) => `The move says: ${err}`)
    const env = { ...media, DATABASE_URL: url }
    const cycle = await killUpgradeOf({ step, folder, counts, env })
    return { ...cycle, failures: [...wrong, ...cycle.failures] }
  } finally {
    await dropDatabase(url)
    await bucket.stop()
  }
}

async function killUpgradeOf(input: {
  step: Failpoint
  /** Has the site as `old`. */
  folder: string
  counts: SmallSite
  env: Record<string, string>
}): Promise<Cycle> {
  const { step, folder, counts, env } = input
  const failures: string[] = []
  const dataFolder = join(folder, 'old')
  const root = await writeLaterVersion(folder)
  const stopping = { ...env, CLUTCH_STOP_AT: step }
  const killed = await startSiteProcess({ dataFolder, root, env: stopping })
  if (killed.answered || killed.signal() !== 'SIGKILL') {
    failures.push('The step was never come to.')
    await killed.kill()
  }
  const again = join(folder, 'again')
  await cp(dataFolder, again, { recursive: true })
  const server = await startSiteProcess({ dataFolder: again, root, env })
  if (!server.answered) failures.push(`It did not start again: ${server.output.join('')}`)
  await server.kill()
  const { out } = await runCommand('doctor', { dataFolder: again, root, env })
  if (!out.startsWith(`All is well: the rows of ${counts.videos} videos`)) {
    failures.push(`The doctor says: ${out}`)
  }
  return { failures, startSeconds: server.startSeconds }
}

/** A small site beside an S3 server of its own: a move that was killed is done again, and nothing is lost. */
async function killMove(step: Failpoint, { folder }: Input): Promise<Cycle> {
  const dataFolder = join(folder, 'moving')
  const counts = await writeSmallSite(dataFolder)
  const bucket = await startS3Server()
  const env = bucket.mediaVariables('videos')
  const args = ['folder', env.MEDIA_STORE]
  try {
    const killed = await runCommand('move-media', {
      dataFolder,
      args,
      env: { ...env, CLUTCH_STOP_AT: step },
    })
    const again = await runCommand('move-media', { dataFolder, args, env })
    const { out } = await runCommand('doctor', { dataFolder, env })
    const failures = [
      ...((killed.code as number | null) === null
        ? []
        : [`The step was never come to. ${killed.err}`]),
      ...(again.code === 0 ? [] : [`move-media ended with ${again.code}: ${again.err}`]),
    ]
    const isWell = out.startsWith(`All is well: the rows of ${counts.videos} videos`)
    return {
      failures: isWell ? failures : [...failures, `The doctor says: ${out}`],
      startSeconds: 0,
    }
  } finally {
    await bucket.stop()
  }
}

/** A small site beside a PostgreSQL server: a move that was killed is done again, and what comes back is all there. */
async function killDatabaseMove(step: Failpoint, { folder }: Input): Promise<Cycle> {
  const dataFolder = join(folder, 'moving')
  const counts = await writeSmallSite(dataFolder)
  // The rows alone are looked at, and media are moved before.
  await rm(join(dataFolder, 'media'), { recursive: true })
  const url = await createEmptyDatabase()
  const move = (args: string[], env: Record<string, string> = {}) =>
    runCommand('move-database', { dataFolder, args, env })
  try {
    const killed = await move([dataFolder, url], { CLUTCH_STOP_AT: step })
    const again = await move([dataFolder, url])
    const back = await move([url, join(folder, 'back')])
    const missing = (['videos', 'comments', 'likes'] as const).filter(
      (name) => !new RegExp(`^${name} +${counts[name]} rows`, 'm').test(back.out),
    )
    const failures = [
      ...((killed.code as number | null) === null
        ? []
        : [`The step was never come to. ${killed.err}`]),
      ...[again, back].filter(({ code }) => code !== 0).map(({ err }) => `The move says: ${err}`),
      ...missing.map((name) => `Not all ${name} came back: ${back.out}`),
    ]
    return { failures, startSeconds: 0 }
  } finally {
    await dropDatabase(url)
  }
}

async function doctorSays(dataFolder: string): Promise<string[]> {
  const { problems } = await doctorSite(dataFolder)
  return problems.map(({ kind, text: what }) => `The doctor says: ${kind}: ${what}`)
}

async function runWell(
  name: 'backup' | 'restore',
  { dataFolder, word }: { dataFolder: string; word: string },
): Promise<string[]> {
  const { code, err } = await runCommand(name, {
    dataFolder,
    args: [word, ...(name === 'backup' ? WITH_MEDIA : [])],
  })
  return code === 0 ? [] : [`${name} ended with ${code}: ${err}`]
}

async function killCommand(
  name: 'backup' | 'restore',
  { step, dataFolder, word }: { step: Failpoint; dataFolder: string; word: string },
): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [join(COMMANDS, `${name}.ts`), word, ...(name === 'backup' ? WITH_MEDIA : [])],
    {
      cwd: childFolder,
      env: {
        ...childEnvironment,
        ...(await mediaVariables(dataFolder)),
        DATA_DIR: dataFolder,
        CLUTCH_STOP_AT: step,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const [said, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return signal === 'SIGKILL' ? [] : [`The step was never come to. ${said}`]
}
