import { basename, dirname } from 'node:path/posix'
import { listUsersByName } from '#server/account/user/user.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { listCategories } from '#server/platform/site/site.queries.ts'
import { titleOfFile } from '#shared/file-title.ts'
import { type ContainerFacts, readRecordingName, timeOf } from '#shared/recording-name.ts'
import type { InboxRule } from '#shared/schemas/inbox.schemas.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { shownFileName } from '#shared/text/file-name.ts'
import { findFirstAdmin } from './inbox.queries.ts'
import type { Found } from './inbox-files.ts'

export type Proposal = {
  userId: number
  game: string | null
  recordedAt: Date
  details: UploadDetails
  publishes: boolean
}

/** Empty for a file directly in the folder of `INBOX`. */
function foldersOf(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : folder.split('/')
}

/** The first rule whose folder is on the way to the file. */
export function findRule(rules: readonly InboxRule[], path: string): InboxRule | undefined {
  const way = foldersOf(path).map((name) => name.toLowerCase())
  return rules.find(({ folder }) => {
    if (folder === '') return true
    const wanted = folder.toLowerCase().split('/')
    return way.some((_, at) => wanted.every((name, index) => way[at + index] === name))
  })
}

/** By the rule, the first folder, or else the first admin; undefined while the site has none. */
export async function findOwnerOf(
  db: Database,
  { path, rules }: { path: string; rules: readonly InboxRule[] },
): Promise<{ ownerId: number; isInOwnFolder: boolean } | undefined> {
  const [folder] = foldersOf(path)
  const chosen = findRule(rules, path)?.username
  const names = [chosen, folder].filter((name) => name !== undefined && name !== null)
  const members = await listUsersByName(db, names)
  const isNamed = (name: string | null | undefined) =>
    members.find(({ username }) => username.toLowerCase() === name?.toLowerCase())
  const own = isNamed(folder)
  const owner = isNamed(chosen) ?? own ?? (await findFirstAdmin(db))
  return owner && { ownerId: owner.id, isInOwnFolder: own !== undefined }
}

/** Undefined while the site has no admin. */
export async function proposeItem(
  db: Database,
  input: { found: Found; container: ContainerFacts; rules: readonly InboxRule[] },
): Promise<Proposal | undefined> {
  const { found, container, rules } = input
  const { path, modifiedAt } = found
  const folders = foldersOf(path)
  const rule = findRule(rules, path)
  const owner = await findOwnerOf(db, { path, rules })
  if (!owner) return undefined
  // A folder of a member is no game; one inside it may be.
  const folder = owner.isInOwnFolder ? ['Recordings', ...folders.slice(1)] : folders
  const categories = await listCategories(db)
  const fileName = shownFileName(basename(path))
  const recording = readRecordingName(fileName, {
    ...{ categories, folder: folder.join('/'), modifiedAt: modifiedAt.getTime(), container },
  })
  const category = [rule?.category, recording?.category].find(
    (name) => name && categories.includes(name),
  )
  const recorded = recording?.recordedAt && new Date(timeOf(recording.recordedAt))
  return {
    userId: owner.ownerId,
    game: recording?.game ?? null,
    recordedAt: recorded ?? modifiedAt,
    details: {
      title: recording?.title ?? titleOfFile(fileName),
      description: '',
      category: category ?? 'Other',
      tags: [],
      isAnonymous: null,
      visibility: rule?.squadId ? 'private' : (rule?.visibility ?? null),
      squadId: rule?.squadId ?? null,
      participants: [],
    },
    publishes: rule?.publishes ?? false,
  }
}
