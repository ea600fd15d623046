import { CATEGORIES } from '#shared/limits.ts'
import { isListedHost, isLocalHost } from '#shared/local-host.ts'
import type {
  AdminSettings,
  EditSiteSettings,
  SiteSettings,
} from '#shared/schemas/desk/site.schemas.ts'
import { insertAuditEntry } from '../audit/audit.queries.ts'
import type { Config } from '../config.ts'
import { type Database, inTransaction } from '../db/database.ts'
import { requireUnchanged } from '../edit-conflict.ts'
import { AppError } from '../errors.ts'
import { type PictureDeps, removePictureAt, storePicture } from '../picture/stored-picture.ts'
import type { Viewer } from '../viewer.ts'
import { deleteGameLooks, type GameLook, listGameLooks } from './game-look.queries.ts'
import {
  findLocalHosts,
  findSiteSettings,
  forgetUpdateAnswer,
  listAllCategories,
  listCategories,
  moveToDefaultCategory,
  type StoredSettings,
  updateSiteSettings,
} from './site.queries.ts'

type Site = { db: Database; config: Config }

const SITE = { kind: 'site', id: null } as const
const LOGO_BOX = { width: 512, height: 512 }

export async function readSiteSettings({ db, config }: Site): Promise<SiteSettings> {
  const stored = await findSiteSettings(db)
  return toPublic(stored, { config, looks: await listGameLooks(db) })
}

function toPublic(
  stored: StoredSettings,
  { config, looks }: { config: Config; looks: GameLook[] },
): SiteSettings {
  const archived = new Set(looks.flatMap((look) => (look.isArchived ? [look.category] : [])))
  const { name, tagline, welcome, accent, logoUrl, rules, registration, extraCategories } = stored
  const { uploadsNeedApproval, anonymousByDefault, discordEmbedByDefault } = stored
  const { audience, defaultVisibility, allowsDownloads, fetchesAddresses } = stored
  return {
    name,
    tagline,
    welcome,
    accent,
    logoUrl,
    hasRules: rules !== '',
    registration,
    audience,
    defaultVisibility,
    allowsDownloads,
    fetchesAddresses,
    uploadsNeedApproval,
    categories: [...CATEGORIES, ...extraCategories.filter((extra) => !archived.has(extra))],
    archivedCategories: extraCategories.filter((extra) => archived.has(extra)),
    categoryColours: Object.fromEntries(
      looks.flatMap(({ category, colour }) => (colour === null ? [] : [[category, colour]])),
    ),
    anonymousByDefault,
    discordEmbedByDefault,
    ...limitsOf(stored, config),
  }
}

export async function readAdminSettings({ db, config }: Site): Promise<AdminSettings> {
  const stored = await findSiteSettings(db)
  const { rules, notice, extraCategories, heldWords, holdLinks } = stored
  const { newMemberDays, newMemberComments, backupHour, backupsKept } = stored
  const { asksForUpdates, updateAddress, localHosts } = stored
  return {
    ...toPublic(stored, { config, looks: await listGameLooks(db) }),
    rules,
    notice,
    extraCategories,
    heldWords,
    holdLinks,
    newMemberDays,
    newMemberComments,
    backupHour,
    backupsKept,
    asksForUpdates,
    updateAddress,
    localHosts,
    localHostsOfEnvironment: config.localHosts,
    maxVideoBytesAllowed: config.maxVideoBytes,
    maxThumbnailBytesAllowed: config.maxThumbnailBytes,
    quotaBytes: config.userQuotaBytes ?? null,
  }
}

/** Returns the hosts on the local network to which the site may connect. */
export async function listLocalHosts({ db, config }: Site): Promise<string[]> {
  return [...config.localHosts, ...(await findLocalHosts(db))]
}

/** Within the environment's limits. */
export async function findUploadLimits({ db, config }: Site) {
  return limitsOf(await findSiteSettings(db), config)
}

function limitsOf(
  { maxVideoBytes, maxThumbnailBytes }: StoredSettings,
  config: Config,
): Pick<SiteSettings, 'maxVideoBytes' | 'maxThumbnailBytes'> {
  return {
    maxVideoBytes: Math.min(maxVideoBytes ?? Infinity, config.maxVideoBytes),
    maxThumbnailBytes: Math.min(maxThumbnailBytes ?? Infinity, config.maxThumbnailBytes),
  }
}

/**
 * Omitted settings stay; videos of a removed category move to 'Other'.
 * @throws `invalid` for limits above the environment's or a bad update address
 */
export async function editSiteSettings(
  { db, config, media }: Site & Pick<PictureDeps, 'media'>,
  input: EditSiteSettings & { viewer: Viewer },
): Promise<AdminSettings> {
  const { viewer, was, ...change } = input
  requireAllowed(change.maxVideoBytes, config.maxVideoBytes, 'maxVideoBytes')
  requireAllowed(change.maxThumbnailBytes, config.maxThumbnailBytes, 'maxThumbnailBytes')
  const art = await inTransaction(db, async (transaction) => {
    const now = await readAdminSettings({ db: transaction, config })
    requireUnchanged({ now, wish: { ...change, ...effectiveLimits(change, config) }, was })
    const before = await findSiteSettings(transaction)
    await updateSiteSettings(transaction, change)
    await changeUpdateAddress({ db: transaction, config }, before)
    const left = change.extraCategories
    const removed = left ? before.extraCategories.filter((name) => !left.includes(name)) : []
    await moveToDefaultCategory(transaction, removed)
    const looks = await deleteGameLooks(transaction, removed)
    const names = Object.entries(change).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    )
    if (names.length > 0) {
      const target = { ...SITE, name: names.join(', ') }
      await insertAuditEntry(transaction, { actor: viewer, action: 'site.edit', target })
    }
    return looks
  })
  for (const { artUrl } of art) await removePictureAt({ config, media }, artUrl)
  return readAdminSettings({ db, config })
}

/** Null is the environment's limit, undefined no change. */
function effectiveLimits(change: EditSiteSettings, config: Config) {
  const { maxVideoBytes, maxThumbnailBytes } = change
  return {
    maxVideoBytes: maxVideoBytes === null ? config.maxVideoBytes : maxVideoBytes,
    maxThumbnailBytes: maxThumbnailBytes === null ? config.maxThumbnailBytes : maxThumbnailBytes,
  }
}

async function changeUpdateAddress({ db, config }: Site, before: StoredSettings): Promise<void> {
  const { asksForUpdates, updateAddress } = await findSiteSettings(db)
  const isNew = updateAddress !== before.updateAddress
  if (isNew && updateAddress !== '') {
    requireUpdateAddress(updateAddress, await listLocalHosts({ db, config }))
  }
  if (asksForUpdates && updateAddress === '') {
    throw new AppError('invalid', 'To hear of newer versions, give the address to ask.')
  }
  if (isNew || asksForUpdates !== before.asksForUpdates) await forgetUpdateAnswer(db)
}

/** Public addresses with https only, so that the answer cannot be forged. */
function requireUpdateAddress(address: string, localHosts: readonly string[]): void {
  const url = URL.parse(address)
  const isAddress = /^https?:$/.test(url?.protocol ?? '') && !url?.username && !url?.password
  if (url && isAddress) {
    if (isListedHost(localHosts, url)) return
    if (url.protocol === 'https:' && !isLocalHost(url.hostname)) return
  }
  throw new AppError(
    'invalid',
    "The address for updates must begin with https://, or its host must be listed in 'Hosts on the local network'.",
  )
}

function requireAllowed(wanted: number | null | undefined, most: number, name: string): void {
  if (wanted === null || wanted === undefined || wanted <= most) return
  throw new AppError(
    'invalid',
    `${name} must be at most ${most}, which the server was started with.`,
  )
}

/** Accepts archived categories too. */
export async function requireCategory(db: Database, name: string | undefined): Promise<void> {
  if (name === undefined || (await listAllCategories(db)).includes(name)) return
  throw noSuchCategory('category')
}

/**
 * Checks a category that a video is given.
 * @param options.before the current category of the video, which may be archived
 */
export async function requireOpenCategory(
  db: Database,
  name: string | undefined,
  { before, field = 'category' }: { before?: string; field?: string } = {},
): Promise<void> {
  if (name === undefined || (await listCategories(db)).includes(name)) return
  if (!(await listAllCategories(db)).includes(name)) throw noSuchCategory(field)
  if (name === before) return
  throw new AppError('invalid', `${name} is archived and takes no new videos.`)
}

const noSuchCategory = (field: string) =>
  new AppError('invalid', `${field} is not one of the categories.`)

/**
 * Stores a PNG of at most 512 pixels.
 * @returns its address
 * @throws `unsupported`, `unprocessable` when undecodable
 */
export async function changeLogo(
  deps: PictureDeps,
  input: { bytes: Buffer; viewer: Viewer },
): Promise<string> {
  const { bytes, viewer } = input
  const format = { name: 'logo', subject: 'The logo', extension: 'png', box: LOGO_BOX } as const
  return storePicture(deps, { bytes, viewer, ...format }, async ({ url, put }) => {
    await put()
    await replaceLogo(deps, { viewer, logoUrl: url })
  })
}

export async function removeLogo(deps: PictureDeps, input: { viewer: Viewer }): Promise<void> {
  await replaceLogo(deps, { viewer: input.viewer, logoUrl: null })
}

async function replaceLogo(
  deps: PictureDeps,
  input: { viewer: Viewer; logoUrl: string | null },
): Promise<void> {
  const { viewer, logoUrl } = input
  const before = await inTransaction(deps.db, async (transaction) => {
    const { logoUrl: old } = await findSiteSettings(transaction)
    await updateSiteSettings(transaction, { logoUrl })
    const target = { ...SITE, name: logoUrl ? 'A new logo' : 'No logo' }
    await insertAuditEntry(transaction, { actor: viewer, action: 'site.logo', target })
    return old
  })
  await removePictureAt(deps, before)
}
