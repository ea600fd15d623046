import { listUsersByName } from '#server/account/user/user.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { requireOpenCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type {
  EditInboxSettings,
  InboxRule,
  InboxSettings,
  InboxState,
  InboxStatus,
  PublishInbox,
} from '#shared/schemas/inbox.schemas.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { findUpload } from '../upload/upload.queries.ts'
import { cancelUpload } from '../upload/upload.service.ts'
import { withDefaults } from '../upload/upload-details.service.ts'
import { listOwnItems, updateItem } from './inbox.queries.ts'
import { countItems, countWaiting } from './inbox-list.queries.ts'
import { findInboxSettings, updateInboxSettings } from './inbox-settings.queries.ts'

type Site = Pick<AppDeps, 'config' | 'db'>
type Deps = Site & Pick<AppDeps, 'disk' | 'media' | 'deadline'>

export async function readInboxState(
  { config, db }: Site,
  { viewer }: { viewer: Viewer },
): Promise<InboxState> {
  if (config.inbox.folders.length === 0) return { isOn: false, waiting: 0, unusable: 0 }
  return {
    isOn: true,
    waiting: await countWaiting(db, viewer.id),
    unusable: await countWaiting(db, viewer.id, 'unusable'),
  }
}

/**
 * Queues items for publishing. Items that are queued already keep their details.
 * @throws `not-found`, and what an upload with these details throws
 */
export async function queueItems(
  db: Database,
  { items, viewer, ...common }: PublishInbox & { viewer: Viewer },
): Promise<{ queued: number }> {
  await requireOpenCategory(db, common.category)
  return inTransaction(db, async (transaction) => {
    const ids = items.map(({ id }) => id)
    const rows = await requireItems(transaction, { ids, viewer })
    let queued = 0
    for (const row of rows) {
      if (row.state === 'queued' || row.state === 'published') continue
      const title = items.find(({ id }) => id === row.id)?.title
      const details = mergeDetails(row, { title, ...common })
      await withDefaults(transaction, { ...details, userId: viewer.id, hadSquad: false })
      const where = { state: row.state }
      const change = { state: 'queued', problem: null, details: JSON.stringify(details) } as const
      if (await updateItem(transaction, { id: row.id, where, change })) queued += 1
    }
    return { queued }
  })
}

function mergeDetails(
  row: InboxItemRow,
  change: Omit<PublishInbox, 'items'> & { title: string | undefined },
): UploadDetails {
  const proposed = JSON.parse(row.details ?? '{}') as UploadDetails
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const details: UploadDetails = { ...proposed, ...Object.fromEntries(given) }
  return details.squadId === null ? details : { ...details, visibility: 'private' }
}

/** @throws `not-found` unless all are the viewer's */
async function requireItems(
  db: Database,
  { ids, viewer }: { ids: number[]; viewer: Viewer },
): Promise<InboxItemRow[]> {
  const rows = await listOwnItems(db, { ids, userId: viewer.id })
  const usable = rows.filter(({ state }) => state !== 'unusable')
  if (usable.length < new Set(ids).size) {
    throw new AppError('not-found', 'One of these recordings is not in your inbox any more.')
  }
  return usable
}

type Items = { ids: number[]; viewer: Viewer }

/** Dismisses items, also queued ones. Their files stay. */
export function dismissItems(deps: Deps, items: Items): Promise<void> {
  return moveItems(deps, { ...items, from: ['new', 'queued'], to: 'dismissed' })
}

/** Makes dismissed and queued items new again. */
export function restoreItems(deps: Deps, items: Items): Promise<void> {
  return moveItems(deps, { ...items, from: ['dismissed', 'queued'], to: 'new' })
}

/** Skips items whose upload is being completed. */
async function moveItems(
  deps: Deps,
  input: Items & { from: InboxItemRow['state'][]; to: 'new' | 'dismissed' },
): Promise<void> {
  const { from, to, viewer } = input
  const receiving = await inTransaction(deps.db, async (transaction) => {
    const rows = await requireItems(transaction, input)
    const moved: { id: number; uploadId: string }[] = []
    for (const { id, state, uploadId } of rows) {
      if (!from.includes(state)) continue
      const upload =
        uploadId === null
          ? undefined
          : await findUpload(transaction, { id: uploadId, userId: viewer.id })
      if (upload && isFinishing(upload)) continue
      const where = { state, uploadId }
      const change = { state: to, uploadId: null, problem: null }
      const isMoved = await updateItem(transaction, { id, where, change })
      if (isMoved && upload) moved.push({ id, uploadId: upload.id })
    }
    return moved
  })
  for (const { id, uploadId } of receiving) {
    await cancelUpload(deps, { uploadId, viewer })
    const upload = await findUpload(deps.db, { id: uploadId, userId: viewer.id })
    if (!upload || !isFinishing(upload)) continue
    // The upload was completed first. The next attempt to publish finds the video.
    const where = { state: to, uploadId: null }
    await updateItem(deps.db, { id, where, change: { state: 'queued', uploadId } })
  }
}

const isFinishing = ({ state }: { state: string }) =>
  state === 'finalizing' || state === 'completed'

export async function readInboxSettings({ config, db }: Site): Promise<InboxSettings> {
  const { originals, whenDeleted, whenMissing, rules } = await findInboxSettings(db)
  return { originals, whenDeleted, whenMissing, rules, folders: [...config.inbox.folders] }
}

/** @throws `conflict`, `invalid` for an unknown category or owner */
export async function editInboxSettings(
  site: Site,
  { was, viewer, ...change }: EditInboxSettings & { viewer: Viewer },
): Promise<InboxSettings> {
  for (const { category } of change.rules ?? []) {
    await requireOpenCategory(site.db, category ?? undefined)
  }
  await inTransaction(site.db, async (transaction) => {
    const { originals, whenDeleted, whenMissing, rules } = await findInboxSettings(transaction)
    const now = { originals, whenDeleted, whenMissing, rules }
    requireUnchanged({ now, wish: change, was })
    await requireOwners(transaction, { rules: change.rules ?? [], before: rules })
    await updateInboxSettings(transaction, {
      ...(change.originals && { originals: change.originals }),
      ...(change.whenDeleted && { whenDeleted: change.whenDeleted }),
      ...(change.whenMissing && { whenMissing: change.whenMissing }),
      ...(change.rules && { rules: JSON.stringify(change.rules) }),
    })
    await noteEdit(transaction, { viewer, name: 'Inbox' })
  })
  return readInboxSettings(site)
}

/** Owners that a rule had before may have been banned or deleted since. */
async function requireOwners(
  db: Database,
  { rules, before }: { rules: InboxRule[]; before: InboxRule[] },
): Promise<void> {
  const chosen = rules.flatMap(({ username }) => username ?? [])
  const members = (await listUsersByName(db, chosen)).map(({ username }) => username.toLowerCase())
  const unknown = chosen.find(
    (name) =>
      !members.includes(name.toLowerCase()) && !before.some(({ username }) => username === name),
  )
  if (unknown === undefined) return
  throw new AppError('invalid', `There is nobody here with the name @${unknown}.`)
}

async function noteEdit(
  db: Database,
  { viewer, name }: { viewer: Viewer; name: string },
): Promise<void> {
  const target = { kind: 'site', id: null, name } as const
  await insertAuditEntry(db, { actor: viewer, action: 'site.edit', target })
}

export async function pauseInbox(
  db: Database,
  { isPaused, viewer }: { isPaused: boolean; viewer: Viewer },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await updateInboxSettings(transaction, { isPaused: isPaused ? 1 : 0 })
    await noteEdit(transaction, { viewer, name: isPaused ? 'Inbox stopped' : 'Inbox resumed' })
  })
}

export async function readInboxStatus({ config, db }: Site): Promise<InboxStatus> {
  const { status, isPaused, problem } = await findInboxSettings(db)
  const counts = await countItems(db)
  const known = new Map(status?.folders.map((one) => [one.folder, one]))
  return {
    lookedAt: status?.lookedAt ?? null,
    isPaused,
    folders: config.inbox.folders.map(
      (folder) => known.get(folder) ?? { folder, files: 0, problem: null },
    ),
    examining: status?.examining ?? null,
    settling: status?.settling ?? 0,
    unread: status?.unread ?? 0,
    offered: counts.new,
    publishing: counts.queued,
    published: counts.published,
    unusable: counts.unusable,
    problem: status?.problem ?? problem,
  }
}
