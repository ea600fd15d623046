import { CUT_KEPT_DAYS } from '#shared/limits.ts'
import { deleteExpiredSteps } from './account/auth/sign-in-step.queries.ts'
import { deleteExpiredVerifications } from './account/email/email.queries.ts'
import { checkMembers } from './account/provider/provider-check.service.ts'
import { enforceSecondFactor } from './account/second-factor/second-factor-upkeep.ts'
import { postDigests } from './community/digest/digest.service.ts'
import { tidySquads } from './community/squad/squad.service.ts'
import { deleteLoneSquadViews } from './community/squad-view/squad-view.queries.ts'
import { deleteEmptyRooms } from './community/watch-room/watch-room.service.ts'
import { deleteExpiredExports } from './desk/account-data/data-export.queries.ts'
import { listAccountsInDeletion } from './desk/account-deletion/account-deletion.queries.ts'
import {
  finishAccountDeletion,
  removeDueAccounts,
} from './desk/account-deletion/account-deletion.service.ts'
import { endInterruptedBackups } from './desk/backup/backup.queries.ts'
import { makeNightlyBackup } from './desk/backup/backup.service.ts'
import { hasFileBackups } from './desk/backup/file-backups.ts'
import { endInterruptedDrills } from './desk/backup/restore-drill.queries.ts'
import { makeMonthlyDrill } from './desk/backup/restore-drill.service.ts'
import { removeBannedMembers } from './desk/moderation/member-moderation.service.ts'
import { noteStorageOfDay } from './desk/overview/overview.queries.ts'
import { askForUpdate } from './desk/release/release.service.ts'
import { endInterruptedChecks } from './desk/site-check/site-check.queries.ts'
import { CHECK_LOCK } from './desk/site-check/site-check.service.ts'
import { tidyDeliveries } from './desk/webhook/delivery.queries.ts'
import { tellOfFullDisk } from './desk/webhook/disk-space.service.ts'
import { tidySearchIndex } from './discovery/search/index-upkeep.service.ts'
import { runAlone } from './platform/cluster/locks.ts'
import { type Database, timestamp } from './platform/db/database.ts'
import { backupIsRunning, importIsRunning } from './platform/db/maintain.ts'
import { tidyUpgradeCopies } from './platform/db/upgrade.ts'
import type { AppDeps } from './platform/deps.ts'
import { deleteOldClipViews } from './video/clip/clip-view.queries.ts'
import { deleteExpiredRecordings } from './video/cut/cut.queries.ts'
import { endExpiredVideos } from './video/expiry/expiry.service.ts'
import { deleteOldFetches } from './video/fetch/fetch.queries.ts'
import { removeDeletedCopies } from './video/media/deleted-copies.ts'
import { removeRetiredFile } from './video/media/media-folder.ts'
import { forgetHashes, removeOrphan, reviewMedia } from './video/media/media-upkeep.ts'
import { listRetiredFiles } from './video/media/retired-file.queries.ts'
import { findDeleteLock, refreshDeleteLocks, takeStores } from './video/media/store-owner.ts'
import {
  findUnknownUploads,
  removeOverUploads,
  removeUploadFolder,
  uploadPrefix,
} from './video/media/upload-folders.ts'
import { listFinalizingUploads, listIdleUploads } from './video/upload/upload.queries.ts'
import { expireUpload } from './video/upload/upload.service.ts'
import { resumeFinishing } from './video/upload/upload-completion.ts'
import { withFolderLock } from './video/video/folder-lock.ts'
import { findImportOfUpload } from './video/video/imported-video.queries.ts'
import { finishDeletion } from './video/video/video-deletion.ts'
import { listDeletingVideos } from './video/video/video-rows.queries.ts'
import { deleteOldViews } from './video/view/view.queries.ts'

const INTERVAL_MS = 60 * 60 * 1000
/** Completes deletions soon after a backup. */
const DELETIONS_INTERVAL_MS = 60 * 1000
const INDEX_INTERVAL_MS = 60 * 1000
const EXPIRY_INTERVAL_MS = 30 * 1000
const NIGHTLY_INTERVAL_MS = 60 * 1000
const UPDATE_INTERVAL_MS = 60 * 1000
const DIGEST_INTERVAL_MS = 60 * 1000
const DISK_INTERVAL_MS = 60 * 1000
const INTERRUPTED = 'The server was stopped meanwhile.'
const RETIRED_AGE_MS = 24 * 60 * 60 * 1000
const FETCH_AGE_MS = 7 * 24 * 60 * 60 * 1000

type Log = { warn: (details: object, message: string) => void }
type UpkeepLog = Log & { info: Log['warn'] }
type JanitorDeps = AppDeps & { log: Log }

/**
 * Runs at once and every hour. With several nodes each cleans its own disk, and one at a time the site.
 * @returns a function that stops it and waits for a running round
 */
export function startJanitor(deps: JanitorDeps & { log: UpkeepLog }): () => Promise<void> {
  let suspects = new Set<string>()
  let tidiedIndex: number | undefined
  let stopped = false
  const attempt = async (work: () => Promise<void>) => {
    try {
      if (!stopped) await work()
    } catch (error) {
      deps.log.warn({ err: error }, 'tidying failed; it is tried again later')
    }
  }
  const alone = (name: string, work: () => Promise<unknown>) => runAlone(deps.db, name, work)
  const round = async () => {
    await alone(CHECK_LOCK, () => endInterruptedChecks(deps.db, INTERRUPTED))
    const isMine = await alone('janitor', async () => {
      await resumeUploads(deps)
      suspects = await tidy(deps, suspects)
    })
    if (!isMine) suspects = new Set([...suspects, ...(await tidyHere(deps, suspects))])
  }
  const removeSoon = async () => {
    await removeOverUploads(deps)
    await refreshDeleteLocks(placeOf(deps), deps.media)
    await alone('janitor', () => finishDeletions(deps))
  }
  const tidyIndex = async () => {
    await alone('search-index', async () => {
      tidiedIndex = await tidySearchIndex(deps, tidiedIndex)
    })
  }
  let running = attempt(async () => {
    await endInterrupted(deps.db)
    await round()
    await tidyIndex()
  })
  const nightly = () => {
    // Not awaited, because it may take an hour.
    alone('nightly', async () => {
      await makeNightlyBackup(deps)
      await makeMonthlyDrill(deps)
    }).catch((error) => deps.log.warn({ err: error }, 'the nightly backup failed'))
  }
  const update = () => {
    alone('update', () => askForUpdate(deps)).catch((error) =>
      deps.log.warn({ err: error }, 'what came of asking for a newer version was not saved'),
    )
  }
  const members = () => {
    // Not awaited, because a provider may answer slowly.
    alone('providers', () => checkMembers(deps)).catch((error) =>
      deps.log.warn({ err: error }, 'members of providers could not be looked at'),
    )
  }
  const every = (pause: number, work: () => Promise<void>) =>
    setInterval(() => {
      running = running.then(() => attempt(work))
    }, pause).unref()
  const timers = [
    every(INTERVAL_MS, round),
    every(DELETIONS_INTERVAL_MS, removeSoon),
    every(INDEX_INTERVAL_MS, tidyIndex),
    every(EXPIRY_INTERVAL_MS, () => endExpired(deps)),
    every(NIGHTLY_INTERVAL_MS, async () => nightly()),
    every(UPDATE_INTERVAL_MS, async () => update()),
    ...(deps.mail ? [every(DIGEST_INTERVAL_MS, () => postDigests(deps))] : []),
    every(INTERVAL_MS, async () => members()),
    every(DISK_INTERVAL_MS, () => tellOfFullDisk(deps)),
  ]
  return async () => {
    stopped = true
    for (const timer of timers) clearInterval(timer)
    await running
  }
}

/** Without other nodes all running entries are interrupted ones. */
async function endInterrupted(db: Database): Promise<void> {
  if (!hasFileBackups(db)) return
  await endInterruptedBackups(db, INTERRUPTED)
  await endInterruptedDrills(db, INTERRUPTED)
}

const placeOf = ({ db, config: { dataFolder } }: JanitorDeps) => ({ db, dataFolder })

async function endExpired(deps: JanitorDeps): Promise<void> {
  await runAlone(deps.db, 'expiry', () => endExpiredVideos(deps))
}

async function resumeUploads(deps: JanitorDeps): Promise<void> {
  for (const upload of await listFinalizingUploads(deps.db)) {
    if (deps.closing.aborted) return
    if (await isBeingImported(deps, upload.id)) continue
    await resumeFinishing({ ...deps, deadline: deps.closing }, upload).catch((error) =>
      deps.log.warn({ err: error, upload: upload.id }, 'an upload could not be finished'),
    )
  }
}

async function isBeingImported({ db, config }: JanitorDeps, uploadId: string): Promise<boolean> {
  return (
    importIsRunning(config.dataFolder) && (await findImportOfUpload(db, uploadId)) !== undefined
  )
}

/**
 * Deletes unknown files and idle uploads seen by two rounds: a clock that jumps ahead makes all
 * look idle.
 * @param suspects of the last round
 * @returns suspects of this round
 * @throws StoreError, after all that needs no store
 */
export async function tidy(deps: JanitorDeps, suspects: Set<string>): Promise<Set<string>> {
  await deps.sessions.deleteExpiredSessions()
  await deleteExpiredSteps(deps.db, timestamp())
  await deleteExpiredExports(deps.db, timestamp())
  await deleteExpiredVerifications(deps.db)
  await enforceSecondFactor(deps)
  await deleteOldViews(deps.db)
  await deleteOldClipViews(deps.db)
  await deleteOldFetches(deps.db, timestamp(new Date(Date.now() - FETCH_AGE_MS)))
  await removeBannedMembers(deps)
  await tidySquads(deps.db)
  await deleteEmptyRooms(deps.db)
  await deleteLoneSquadViews(deps.db)
  await tidyDeliveries(deps.db)
  await endExpired(deps)
  await noteStorageOfDay(deps.db)
  const idle = await expireIdleUploads(deps, suspects)
  await deleteExpiredRecordings(deps.db, new Date(Date.now() - CUT_KEPT_DAYS * 24 * 60 * 60 * 1000))
  await finishDeletions(deps)
  await removeRetiredFiles(deps)
  await forgetHashes(deps)
  const here = await tidyHere(deps, suspects)
  const place = placeOf(deps)
  await takeStores(place, deps.media)
  const deleteLock = await findDeleteLock(place, deps.media)
  if (deleteLock) deps.log.warn({ reason: deleteLock }, 'nothing is deleted in the store of videos')
  const orphans = await reviewMedia(deps)
  const seen = new Set([...idle, ...here, ...orphans])
  if (deleteLock) return seen
  if (backupIsRunning(place.dataFolder)) return new Set([...suspects, ...idle, ...here])
  for (const prefix of orphans) if (suspects.has(prefix)) await removeOrphan(deps, prefix)
  return seen
}

/** @returns suspects, deleted when seen again */
async function tidyHere(deps: JanitorDeps, suspects: Set<string>): Promise<Set<string>> {
  await tidyUpgradeCopies(deps.config.dataFolder)
  await removeOverUploads(deps)
  await removeDeletedCopies(deps)
  const unknown = await findUnknownUploads(deps)
  for (const prefix of unknown)
    if (suspects.has(prefix)) await removeUploadFolder(deps.disk, prefix)
  return new Set(unknown)
}

/** @returns uploads idle for the first time */
async function expireIdleUploads(deps: JanitorDeps, suspects: Set<string>): Promise<string[]> {
  const idle: string[] = []
  for (const id of await listIdleUploads(deps.db, new Date())) {
    const prefix = uploadPrefix(id)
    if (suspects.has(prefix)) await expireUpload(deps, id)
    else idle.push(prefix)
  }
  return idle
}

/** After a day nobody still watches them. */
async function removeRetiredFiles(deps: JanitorDeps): Promise<void> {
  for (const file of await listRetiredFiles(deps.db, new Date(Date.now() - RETIRED_AGE_MS))) {
    await withFolderLock(deps.db, file.mediaKey, () => removeRetiredFile(deps, file))
  }
}

async function finishDeletions(deps: JanitorDeps): Promise<void> {
  await removeDueAccounts(deps)
  for (const id of await listDeletingVideos(deps.db)) await finishDeletion(deps, id)
  for (const id of await listAccountsInDeletion(deps.db)) await finishAccountDeletion(deps, id)
}
