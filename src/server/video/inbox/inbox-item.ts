import { basename, dirname } from 'node:path/posix'
import type { Database } from '#server/platform/db/database.ts'
import { listCategories } from '#server/platform/site/site.queries.ts'
import { titleOfFile } from '#shared/file-title.ts'
import { type ContainerFacts, readRecordingName, timeOf } from '#shared/recording-name.ts'
import type { InboxRule } from '#shared/schemas/inbox.schemas.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { shownFileName } from '#shared/text/file-name.ts'
import { findFirstAdmin, listNamedMembers } from './inbox.queries.ts'
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

/**
 * Finds the first rule for one of the folders that contain the file. In a folder that is named after a member, a rule with
 * another owner applies only if it names that folder too.
 * @param input.member the member whose name the first folder has
 */
function findRule(
  rules: readonly InboxRule[],
  { path, member }: { path: string; member: string | undefined },
): InboxRule | undefined {
  const way = foldersOf(path).map((name) => name.toLowerCase())
  return rules.find(({ folder, username }) => {
    if (folder === '') return true
    const wanted = folder.toLowerCase().split('/')
    const isOther = member !== undefined && username !== null && !isSame(username, member)
    return way.some((_, at) => {
      if (isOther && at > 0) return false
      return wanted.every((name, index) => way[at + index] === name)
    })
  })
}

const isSame = (name: string, other: string) => name.toLowerCase() === other.toLowerCase()

/**
 * Returns the owner that the rule names, or else the member whose name the first folder has. If there is no such member or
 * they are banned, it is the first admin.
 * @returns undefined if the site has no admin
 */
export async function findOwnerOf(
  db: Database,
  { path, rules }: { path: string; rules: readonly InboxRule[] },
): Promise<
  | { ownerId: number; isNamed: boolean; isInOwnFolder: boolean; rule: InboxRule | undefined }
  | undefined
> {
  const [folder] = foldersOf(path)
  const names = [folder, ...rules.map(({ username }) => username)]
  const members = await listNamedMembers(
    db,
    names.filter((name) => name !== undefined && name !== null),
  )
  const find = (name: string) => members.find(({ username }) => isSame(username, name))
  const own = folder === undefined ? undefined : find(folder)
  const rule = findRule(rules, { path, member: own?.username })
  const chosen = rule?.username
  const named = chosen === undefined || chosen === null ? own : find(chosen)
  const isNamed = named !== undefined && named.bannedAt === null
  const owner = isNamed ? named : await findFirstAdmin(db)
  return owner && { ownerId: owner.id, isNamed, isInOwnFolder: own !== undefined, rule }
}

/** @returns undefined if the site has no admin */
export async function proposeItem(
  db: Database,
  input: { found: Found; container: ContainerFacts; rules: readonly InboxRule[] },
): Promise<Proposal | undefined> {
  const { found, container, rules } = input
  const { path, modifiedAt } = found
  const folders = foldersOf(path)
  const owner = await findOwnerOf(db, { path, rules })
  if (!owner) return undefined
  const { rule } = owner
  // The folder of a member is not the name of a game, but folders in it may be.
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
    publishes: owner.isNamed && rule?.publishes === true,
  }
}
