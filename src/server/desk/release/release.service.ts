import type { Config } from '#server/platform/config.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import type { Release } from '#shared/schemas/desk/release.schemas.ts'
import { isNewer, parseChangelog, sectionsBetween } from './changelog.ts'
import { fetchNewestVersion } from './newest-version.ts'
import {
  findUpdateNotice,
  findVersions,
  noteAsked,
  updateAnswer,
  updateVersions,
} from './release.queries.ts'
import { readChangelog, readCommit, readVersion } from './running-version.ts'

const DAY_MS = 86_400_000

/** Keeps the previous one until an admin has read the changes. */
export async function noteRunningVersion(db: Database, version?: string): Promise<void> {
  const running = version ?? (await readVersion())
  await inTransaction(db, async (transaction) => {
    const { lastRunVersion, previousVersion } = await findVersions(transaction)
    if (lastRunVersion === running) return
    const isUpdate = lastRunVersion !== null && isNewer(running, lastRunVersion)
    await updateVersions(transaction, {
      lastRunVersion: running,
      previousVersion: isUpdate ? (previousVersion ?? lastRunVersion) : null,
    })
  })
}

export async function readRelease(deps: { config: Config; db: Database }): Promise<Release> {
  const { config, db } = deps
  const version = await readVersion()
  const { previousVersion: since } = await findVersions(db)
  const sections =
    since === null ? [] : sectionsBetween(parseChangelog(await readChangelog()), { since, version })
  const { isOn, askedAt, answer: newest } = await findUpdateNotice(db)
  return {
    version,
    commit: config.commit ?? (await readCommit()) ?? null,
    news: since !== null && sections.length > 0 ? { since, sections } : null,
    update: isOn
      ? { askedAt, newest, isNewer: newest !== null && isNewer(newest.version, version) }
      : null,
  }
}

/** Returns the latest version if it is newer than the running one and the update notice is on. */
export async function findNewerVersion(db: Database): Promise<string | null> {
  const { isOn, answer } = await findUpdateNotice(db)
  if (!isOn || answer === null) return null
  return isNewer(answer.version, await readVersion()) ? answer.version : null
}

export async function dismissNews(db: Database): Promise<void> {
  await updateVersions(db, { previousVersion: null })
}

/** Once a day if enabled; the attempt is recorded first. */
export async function askForUpdate(
  { db, closing, outgoing }: Pick<AppDeps, 'db' | 'closing' | 'outgoing'>,
  now = new Date(),
): Promise<void> {
  const { isOn, address, askedAt } = await findUpdateNotice(db)
  const sinceMs = askedAt === null ? DAY_MS : Math.abs(now.getTime() - Date.parse(askedAt))
  if (!isOn || sinceMs < DAY_MS) return
  await noteAsked(db, now)
  const answer = await fetchNewestVersion(outgoing, { address, signal: closing })
  if (!closing.aborted) await updateAnswer(db, { address, answer })
}
