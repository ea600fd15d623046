import type { Generated } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

/** One row. */
export interface SiteSettingsTable {
  id: number
  name: string
  uploadsNeedApproval: Default<Flag>
  /** Keys the digests that stand for visitors. */
  viewerSecret: string
  tagline: Default<string>
  /** A colour as #rrggbb; null for the theme's own. */
  accent: string | null
  logoUrl: string | null
  rules: Default<string>
  registration: Default<'open' | 'invite' | 'closed'>
  /** A JSON array of strings. */
  extraCategories: Default<string>
  /** Null for what the environment allows. */
  maxVideoBytes: number | null
  maxThumbnailBytes: number | null
  anonymousByDefault: Default<Flag>
  discordEmbedByDefault: Default<Flag>
  /** A JSON array of strings. */
  heldWords: Default<string>
  holdLinks: Default<Flag>
  newMemberDays: Default<number>
  newMemberComments: Default<number>
  /** The hour of the nightly backup by the machine's clock; null for none. */
  backupHour: number | null
  backupsKept: Default<number>
  /** Default for new videos of members without their own default. */
  defaultVisibility: Default<Visibility>
  /** Who may see the site. */
  audience: Default<'everybody' | 'members'>
  /** Members may download videos whose owners allow it. */
  allowsDownloads: Default<Flag>
  /** Shown at the top of the home page; empty for none. */
  notice: Default<string>
  pinnedVideoId: number | null
  /** SHA-256 of the code with which a user registers as the first admin; null while there is one. */
  setupCodeHash: string | null
  /** A JSON object: what an admin did with each step of the first set-up. */
  setupSteps: Default<string>
  /** The version that started last. */
  lastRunVersion: string | null
  /** The one before it, until an admin has read what changed since. */
  previousVersion: string | null
  /** Whether the site asks for a newer version once a day. */
  asksForUpdates: Default<Flag>
  /** The address that it asks; empty until an admin sets it. */
  updateAddress: Default<string>
  updateAskedAt: string | null
  /** The last answer as JSON; null for none. */
  updateAnswer: string | null
  /** The newest migration that every node has to know; null for no such migration. */
  neededMigration: string | null
  /** `StoreRecord` of each media store by address, as JSON; null where the data folder has them. */
  storeRecords: string | null
}

/** A process on this database; those that were not seen for a while are gone. */
export interface NodesTable {
  /** Each start has another. */
  id: string
  /** Host name and port. */
  name: string
  version: string
  startedAt: string
  seenAt: string
  isDraining: Default<Flag>
  /** What readiness said at its last word; null when it was ready. */
  problem: string | null
}

/** How many acts under a key count until the end of a window, in milliseconds since 1970. */
export interface RateCountsTable {
  key: string
  count: number
  endsAt: number
}

/** What admins did. Rows are never changed or deleted: triggers refuse it. */
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

/** Bytes by kind of media file, and of all videos together under 'all'; maintained by triggers. */
export interface StorageTotalsTable {
  kind: string
  bytes: number
}

/** How many public videos a category has; maintained by triggers. */
export interface CategoryTotalsTable {
  category: string
  publicVideos: number
}

/** Sums of whole days, in UTC. */
export interface SiteDaysTable {
  /** YYYY-MM-DD. */
  day: string
  views: Default<number>
  /** What all videos took when the day was last looked at. */
  storageBytes: number | null
}

export interface BackupsTable {
  id: Generated<number>
  /** Its folder below `backups/`. */
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
  /** How it got on to the second place for backups; null where it was not to be sent. */
  sendState: 'sending' | 'sent' | 'failed' | null
  sendError: string | null
}

/** Proofs that the newest backup can be restored. */
export interface RestoreDrillsTable {
  id: Generated<number>
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  backupName: string | null
  /** Whether the backup came from the second place for backups. */
  isOffsite: Flag
  bytes: number | null
  files: number | null
  videos: number | null
  error: string | null
}

/** What comparing the database with the files found. */
export interface SiteChecksTable {
  id: Generated<number>
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  percent: Default<number>
  videos: number | null
  files: number | null
  problemCount: number | null
  /** A JSON array of `{kind, text}`; the first ones. */
  problems: Default<string>
  error: string | null
}
