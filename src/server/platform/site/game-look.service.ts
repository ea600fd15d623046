import { CATEGORIES } from '#shared/limits.ts'
import {
  type EditGame,
  extraCategoriesSchema,
  type Game,
} from '#shared/schemas/desk/site.schemas.ts'
import { insertAuditEntry } from '../audit/audit.queries.ts'
import { type Database, type DatabaseTransaction, inTransaction } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { type PictureDeps, removePictureAt, storePicture } from '../picture/stored-picture.ts'
import type { Viewer } from '../viewer.ts'
import {
  countPublicVideos,
  deleteGameLooks,
  listGameLooks,
  upsertGameLook,
} from './game-look.queries.ts'
import {
  findSiteSettings,
  listAllCategories,
  moveToDefaultCategory,
  updateSiteSettings,
} from './site.queries.ts'

/** In pixels; as wide as the header of a game's page. */
const ART_BOX = { width: 1600, height: 900 }

const isBuiltIn = (name: string) => CATEGORIES.some((category) => category === name)

/** Returns the games in the order in which menus and forms list them. */
export async function readGames(db: Database): Promise<Game[]> {
  const [names, looks, counts] = await Promise.all([
    listAllCategories(db),
    listGameLooks(db),
    countPublicVideos(db),
  ])
  const lookOf = new Map(looks.map((look) => [look.category, look]))
  return names.map((name) => ({
    name,
    isBuiltIn: isBuiltIn(name),
    colour: lookOf.get(name)?.colour ?? null,
    artUrl: lookOf.get(name)?.artUrl ?? null,
    isArchived: lookOf.get(name)?.isArchived ?? false,
    videoCount: counts.get(name) ?? 0,
  }))
}

type By = { viewer: Viewer }

/** @throws `conflict` for a built-in game, which cannot be changed */
export async function editGame(
  { db }: { db: Database },
  { viewer, name, ...change }: EditGame & By,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await requireExtra(transaction, name)
    await upsertGameLook(transaction, { category: name, ...change })
    const { isArchived } = change
    const what = isArchived === undefined ? 'colour' : isArchived ? 'archived' : 'not archived'
    await logGame(transaction, { viewer, what: `${name}: ${what}` })
  })
}

/** @throws `invalid` for a name that is not allowed or already used */
export async function addGame(db: Database, { viewer, name }: { name: string } & By) {
  await changeExtras(db, { viewer, what: `${name}: added` }, (extras) => {
    const { data, error } = extraCategoriesSchema.safeParse([...extras, name])
    if (data) return data
    throw new AppError('invalid', error.issues[0]?.message ?? 'This name cannot be used.')
  })
}

/** @throws `conflict` if `names` are not exactly the games that are not built in */
export async function orderGames(db: Database, { viewer, names }: { names: string[] } & By) {
  await changeExtras(db, { viewer, what: 'order of games' }, (extras) => {
    const given = new Set(names)
    const isSame = given.size === names.length && given.size === extras.length
    if (isSame && extras.every((extra) => given.has(extra))) return names
    throw new AppError('conflict', 'The games have changed meanwhile. Please look again.')
  })
}

/** Moves the videos of the game to 'Other'. */
export async function removeGame(
  deps: Pick<PictureDeps, 'db' | 'config' | 'media'>,
  { viewer, name }: { name: string } & By,
): Promise<void> {
  await requireExtra(deps.db, name)
  const looks = await changeExtras(
    deps.db,
    { viewer, what: `${name}: removed` },
    (extras) => extras.filter((extra) => extra !== name),
    async (transaction) => {
      await moveToDefaultCategory(transaction, [name])
      return deleteGameLooks(transaction, [name])
    },
  )
  for (const { artUrl } of looks) await removePictureAt(deps, artUrl)
}

/** @returns the address of the picture */
export async function changeGameArt(
  deps: PictureDeps,
  { viewer, name, bytes }: { name: string; bytes: Buffer } & By,
): Promise<string> {
  await requireGame(deps.db, name)
  const format = { name: 'art', subject: 'The picture', extension: 'jpg', box: ART_BOX } as const
  return storePicture(deps, { bytes, viewer, ...format }, async ({ url, put }) => {
    await put()
    await replaceArt(deps, { viewer, name, artUrl: url })
  })
}

export async function removeGameArt(deps: PictureDeps, { viewer, name }: { name: string } & By) {
  await requireGame(deps.db, name)
  await replaceArt(deps, { viewer, name, artUrl: null })
}

async function replaceArt(
  deps: PictureDeps,
  { viewer, name, artUrl }: { name: string; artUrl: string | null } & By,
): Promise<void> {
  const before = await inTransaction(deps.db, async (transaction) => {
    // The game may have been removed while the picture was redrawn.
    await requireGame(transaction, name)
    const looks = await listGameLooks(transaction)
    await upsertGameLook(transaction, { category: name, artUrl })
    await logGame(transaction, { viewer, what: `${name}: ${artUrl ? 'new art' : 'no art'}` })
    return looks.find(({ category }) => category === name)?.artUrl ?? null
  })
  await removePictureAt(deps, before)
}

async function requireGame(db: Database, name: string): Promise<void> {
  if ((await listAllCategories(db)).includes(name)) return
  throw new AppError('not-found', 'There is no such game.')
}

async function requireExtra(db: Database, name: string): Promise<void> {
  await requireGame(db, name)
  if (!isBuiltIn(name)) return
  throw new AppError('conflict', `${name} is built in and cannot be changed.`)
}

async function changeExtras<Result>(
  db: Database,
  log: { what: string } & By,
  change: (extras: string[]) => string[],
  also?: (transaction: DatabaseTransaction) => Promise<Result[]>,
): Promise<Result[]> {
  return inTransaction(db, async (transaction) => {
    const { extraCategories } = await findSiteSettings(transaction)
    await updateSiteSettings(transaction, { extraCategories: change(extraCategories) })
    await logGame(transaction, log)
    return (await also?.(transaction)) ?? []
  })
}

async function logGame(db: Database, { viewer, what }: { what: string } & By): Promise<void> {
  const target = { kind: 'site', id: null, name: what } as const
  await insertAuditEntry(db, { actor: viewer, action: 'site.edit', target })
}
