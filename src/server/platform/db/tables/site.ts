import type { Generated } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

/** One row. */
export interface SiteSettingsTable {
  id: number
  name: string
  uploadsNeedApproval: Default<Flag>
  /** Key of the digests of visitors. */
  viewerSecret: string
  tagline: Default<string>
  /** #rrggbb; null for the theme's. */
  accent: string | null
  logoUrl: string | null
  rules: Default<string>
  registration: Default<'open' | 'invite' | 'closed'>
  /** A JSON array of strings. */
  extraCategories: Default<string>
  /** Null for the environment's. */
  maxVideoBytes: number | null
  maxThumbnailBytes: number | null
  anonymousByDefault: Default<Flag>
  discordEmbedByDefault: Default<Flag>
  /** A JSON array of strings. */
  heldWords: Default<string>
  holdLinks: Default<Flag>
  newMemberDays: Default<number>
  newMemberComments: Default<number>
  /** By the machine's clock; null for none. */
  backupHour: number | null
  backupsKept: Default<number>
  defaultVisibility: Default<Visibility>
  audience: Default<'everybody' | 'members'>
  allowsDownloads: Default<Flag>
  notice: Default<string>
  pinnedVideoId: number | null
  /** SHA-256; null once there is an admin. */
  setupCodeHash: string | null
  /** JSON of the choices in each step. */
  setupSteps: Default<string>
  lastRunVersion: string | null
  /** Until an admin has read the changes. */
  previousVersion: string | null
  asksForUpdates: Default<Flag>
  updateAddress: Default<string>
  updateAskedAt: string | null
  /** As JSON; null for none. */
  updateAnswer: string | null
  /** Every node must know it; null for none. */
  neededMigration: string | null
  /** JSON of `StoreRecord` by address; null while in the data folder. */
  storeRecords: string | null
  /** One sentence for visitors. It is empty if there is none. */
  welcome: Default<string>
  /** A JSON array of hosts, see `readHost`. */
  localHosts: Default<string>
  /** Members may give addresses of files, see docs/decisions/0091-files-from-an-address.md. */
  fetchesAddresses: Default<Flag>
  /** JSON of the key pair that identifies the site to push services (RFC 8292), or null before the first use. */
  vapidKeys: Default<string | null>
}

/** Has a row for each game whose colour, picture or archived state an admin has changed. */
export interface GameLooksTable {
  category: string
  /** #rrggbb; null if the game has no colour of its own. */
  colour: string | null
  artUrl: string | null
  /** An archived game cannot be chosen for videos; its videos stay. */
  isArchived: Default<Flag>
}

export interface NodesTable {
  /** New at each start. */
  id: string
  /** Host name and port. */
  name: string
  version: string
  startedAt: string
  seenAt: string
  isDraining: Default<Flag>
  /** Of readiness; null when ready. */
  problem: string | null
}

/** `endsAt` in milliseconds since 1970. */
export interface RateCountsTable {
  key: string
  count: number
  endsAt: number
}

/** Append-only, by triggers. */
export interface AuditLogTable {
  id: Generated<number>
  createdAt: string
  /** Null for the site itself. */
  actorId: number | null
  actorName: string
  action: string
  targetKind: string
  targetId: number | null
  targetName: string
  reason: Default<string>
}

/** Bytes by kind, and of all videos under 'all'; kept by triggers. */
export interface StorageTotalsTable {
  kind: string
  bytes: number
}

/** Kept by triggers. */
export interface CategoryTotalsTable {
  category: string
  publicVideos: number
}

/** Sums per day, in UTC. */
export interface SiteDaysTable {
  /** YYYY-MM-DD. */
  day: string
  views: Default<number>
  /** Of all videos, last measured that day. */
  storageBytes: number | null
}

export interface BackupsTable {
  id: Generated<number>
  /** Below `backups/`. */
  name: string
  cause: 'asked' | 'nightly'
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  bytes: number | null
  files: number | null
  videos: number | null
  members: number | null
  error: string | null
  /** Null when not sent off-site. */
  sendState: 'sending' | 'sent' | 'failed' | null
  sendError: string | null
}

export interface RestoreDrillsTable {
  id: Generated<number>
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  backupName: string | null
  isOffsite: Flag
  bytes: number | null
  files: number | null
  videos: number | null
  error: string | null
}

export interface SiteChecksTable {
  id: Generated<number>
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  percent: Default<number>
  videos: number | null
  files: number | null
  problemCount: number | null
  /** JSON of the first `{kind, text}`. */
  problems: Default<string>
  error: string | null
}

/** Acts whose rows are not all changed yet. */
export interface LongWorkTable {
  kind: string
  /** Of a row that the kind names. */
  targetId: number
  /** Rows up to this one are done. */
  reachedId: Default<number>
  /** Later rows are not of the act. */
  lastId: number | null
}
