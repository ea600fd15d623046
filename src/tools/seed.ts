/**
 * `npm run seed -- --users 200 --videos 5000 --comments 20000 [--media FILE…] [--seed N] [--until
 * DATE]`: fills a stopped site's data folder with demo content. The same arguments make the same
 * rows in an empty data folder; without `--until` the content ends today at 00:00 UTC.
 */

import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { hashPassword } from '#server/account/auth/password.ts'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from '#server/command/command-line.ts'
import { rebuildSearchIndex } from '#server/discovery/search/index-health.queries.ts'
import { readConfig } from '#server/platform/config.ts'
import { insertInBulk } from '#server/platform/db/bulk-insert.ts'
import type { Database } from '#server/platform/db/database.ts'
import { lockDataFolder } from '#server/platform/db/maintain.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { upgradeDatabase } from '#server/platform/db/upgrade.ts'
import { CommandError } from '#server/platform/errors.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { closeDataFolder } from '#server/platform/files/file-modes.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { makeFolder } from '#server/platform/files/make-folder.ts'
import { countOf } from '#shared/text/format.ts'
import { type Clip, prepareClip } from './seed/clips.ts'
import { fillSite, type Seeded, type SeedPlan } from './seed/fill-site.ts'

const USAGE =
  'Usage: npm run seed -- --users 200 --videos 5000 --comments 20000 [--media FILE…] [--seed N] [--until YYYY-MM-DD]'
const PASSWORD = 'clutch-demo'
const DAY_MS = 86_400_000

await runCommand(async () => {
  const { plan, mediaPaths } = readPlan()
  const { dataFolder, databaseUrl, renditionHeights: heights } = readConfig()
  if (databaseUrl) {
    throw new CommandError('DATABASE_URL is set, and demo content goes into a data folder alone.')
  }
  await makeFolder(dataFolder)
  const unlock = lockDataFolder(dataFolder)
  if (!unlock) throw new CommandError(`A Clutch server uses ${dataFolder}. Stop it first.`)
  const began = Date.now()
  try {
    await closeDataFolder(dataFolder)
    const seeded = await seed({ dataFolder, plan, mediaPaths, heights })
    printSummary(seeded, { plan, seconds: (Date.now() - began) / 1000 })
  } finally {
    unlock()
  }
  return 0
})

async function seed(input: {
  dataFolder: string
  plan: SeedPlan
  mediaPaths: string[]
  heights: number[]
}): Promise<Seeded> {
  const { dataFolder, plan } = input
  const db = openDatabase(dataFolder)
  const existing = await upgradeDatabase(db, dataFolder)
    .then(() => readExisting(db))
    .finally(() => db.destroy())
  const disk = openDisk(dataFolder)
  await disk.prepare()
  const media = openFolderStore(dataFolder)
  const clips: Clip[] = []
  for (const [index, path] of input.mediaPaths.entries()) {
    say(`Preparing ${path} …`)
    const folder = await disk.openWorkFolder(`seed-${index}`)
    clips.push(await prepareClip(path, { folder, heights: input.heights }))
  }
  const passwords = {
    demo: await hashPassword(PASSWORD),
    unknown: await hashPassword(randomBytes(32).toString('hex')),
  }
  const onProgress = (done: { videos: number; comments: number }) =>
    say(`  ${done.videos} of ${plan.videos} videos, ${done.comments} comments …`)
  const seeded = insertInBulk(dataFolder, (writer) =>
    fillSite(writer, plan, { ...existing, media, clips, passwords, onProgress }),
  )
  await disk.prepare()
  say('Making the search index …')
  const filled = openDatabase(dataFolder)
  await rebuildSearchIndex(filled).finally(() => filled.destroy())
  return seeded
}

async function readExisting(db: Database): Promise<{ taken: Set<string>; hasAdmin: boolean }> {
  const users = await db.selectFrom('users').select(['username', 'email', 'isAdmin']).execute()
  const names = users.flatMap(({ username, email }) => [username, email])
  return {
    taken: new Set(names.map((name) => name.toLowerCase())),
    hasAdmin: users.some((user) => user.isAdmin === 1),
  }
}

function readPlan(): { plan: SeedPlan; mediaPaths: string[] } {
  const text = { type: 'string' } as const
  const { values, positionals } = readArguments(
    {
      users: { ...text, default: '200' },
      videos: { ...text, default: '5000' },
      comments: { ...text, default: '20000' },
      seed: { ...text, default: '1' },
      until: text,
      media: { ...text, multiple: true },
    },
    USAGE,
  )
  const named = values.media ?? []
  if (positionals.length > 0 && named.length === 0) {
    throw new CommandError(`'${positionals[0]}' is not understood.\n${USAGE}`, EXIT_WRONG_CALL)
  }
  const plan: SeedPlan = {
    users: wholeNumber('--users', values.users, 100_000),
    videos: wholeNumber('--videos', values.videos, 1_000_000),
    comments: wholeNumber('--comments', values.comments, 20_000_000),
    seed: wholeNumber('--seed', values.seed, Number.MAX_SAFE_INTEGER),
    until: readDay(values.until),
  }
  if (plan.users === 0 && plan.videos > 0) {
    throw new CommandError('Videos need at least one user: set --users.', EXIT_WRONG_CALL)
  }
  if (plan.videos === 0 && plan.comments > 0) {
    throw new CommandError('Comments need at least one video: set --videos.', EXIT_WRONG_CALL)
  }
  return { plan, mediaPaths: [...named, ...positionals].map((path) => resolve(path)) }
}

function wholeNumber(option: string, value: string, most: number): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number <= most) return number
  throw new CommandError(
    `${option} must be a whole number from 0 to ${most}, but is '${value}'.`,
    EXIT_WRONG_CALL,
  )
}

/** 00:00 UTC in Unix milliseconds; today by default. */
function readDay(value: string | undefined): number {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  if (value === undefined) return today
  const time = Date.parse(`${value}T00:00:00.000Z`)
  // Impossible dates such as 31 April are read as days of the next month.
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value
  if (isDay && time <= today) return time
  const problem = isDay ? 'must not lie in the future' : 'must be a day like 2026-11-30'
  throw new CommandError(`--until ${problem}, but is '${value}'.`, EXIT_WRONG_CALL)
}

function printSummary(seeded: Seeded, input: { plan: SeedPlan; seconds: number }): void {
  const { users, videos } = input.plan
  const { accounts, hasNewAdmin, comments, likes, subscriptions } = seeded
  say(
    `Added ${countOf(users, 'member')}, ${countOf(videos, 'video')}, ${countOf(comments, 'comment')}, ` +
      `${countOf(likes, 'like')} and ${countOf(subscriptions, 'subscription')} ` +
      `in ${input.seconds.toFixed(1)} s.`,
  )
  if (accounts.length === 0) return
  say(`Log in as ${accounts.map((account) => account.username).join(', ')}: '${PASSWORD}'.`)
  if (hasNewAdmin) say(`${accounts[0]?.username} is the admin.`)
  say('Everybody can read that password here: do not open this site to others.')
}
