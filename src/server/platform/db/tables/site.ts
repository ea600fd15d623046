import type { Generated } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

/** One row. */
export interface SiteSettingsTable {
  id: number
  name: string
  uploadsNeedApproval: Default<Flag>
  /** Key of the digests that identify visitors. */
  viewerSecret: string
  tagline: Default<string>
  /** #rrggbb; null for the theme's colour. */
  accent: string | null
  logoUrl: string | null
  rules: Default<string>
  registration: Default<'open' | 'invite' | 'closed'>
  /** A JSON array of strings. */
  extraCategories: Default<string>
  /** Null for the limit of the environment. */
  maxVideoBytes: number | null
  maxThumbnailBytes: number | null
  anonymousByDefault: Default<Flag>
  discordEmbedByDefault: Default<Flag>
  /** A JSON array of strings. */
  heldWords: Default<string>
  holdLinks: Default<Flag>
  newMemberDays: Default<number>
  newMemberComments: Default<number>
  /** By the clock of the machine; null for no nightly backup. */
  backupHour: number | null
  backupsKept: Default<number>
  /** For members without a default. */
  defaultVisibility: Default<Visibility>
  audience: Default<'everybody' | 'members'>
  /** For videos whose owners allow it. */
  allowsDownloads: Default<Flag>
  /** At the top of the home page; empty for none. */
  notice: Default<string>
  pinnedVideoId: number | null
  /** SHA-256 of the code to register the first admin; null while there is one. */
  setupCodeHash: string | null
  /** A JSON object of the choices in each step of the first set-up. */
  setupSteps: Default<string>
  lastRunVersion: string | null
  /** Set until an admin has read what changed since. */
  previousVersion: string | null
  /** Once a day. */
  asksForUpdates: Default<Flag>
  /** Empty until an admin sets it. */
  updateAddress: Default<string>
  updateAskedAt: string | null
  /** As JSON; null for none. */
  updateAnswer: string | null
  /** The newest migration that every node must know; null for none. */
  neededMigration: string | null
  /** `StoreRecord` of each media store by address, as JSON; null for media in the data folder. */
  storeRecords: string | null
}

/** A process on this database; it counts as gone when it was not seen for a while. */
export interface NodesTable {
  /** New at each start. */
  id: string
  /** Host name and port. */
  name: string
  version: string
  startedAt: string
  seenAt: string
  isDraining: Default<Flag>
  /** The last failure of readiness; null when it was ready. */
  problem: string | null
}

/** Actions per key in the current window, whose end is in milliseconds since 1970. */
export interface RateCountsTable {
  key: string
  count: number
  endsAt: number
}

/** Actions of admins. Triggers refuse changes and deletions. */
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

/** Bytes by kind of media file, and for all videos under 'all'; maintained by triggers. */
export interface StorageTotalsTable {
  kind: string
  bytes: number
}

/** Public videos by category; maintained by triggers. */
export interface CategoryTotalsTable {
  category: string
  publicVideos: number
}

/** Sums per day, in UTC. */
export interface SiteDaysTable {
  /** YYYY-MM-DD. */
  day: string
  views: Default<number>
  /** Size of all videos at the last measurement of the day. */
  storageBytes: number | null
}

export interface BackupsTable {
  id: Generated<number>
  /** Folder below `backups/`. */
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
  /** Copy to the off-site store; null for a backup that is not sent. */
  sendState: 'sending' | 'sent' | 'failed' | null
  sendError: string | null
}

/** Tests that the newest backup can be restored. */
export interface RestoreDrillsTable {
  id: Generated<number>
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  backupName: string | null
  /** The backup came from the off-site store. */
  isOffsite: Flag
  bytes: number | null
  files: number | null
  videos: number | null
  error: string | null
}

/** Results of comparing the database with the files. */
export interface SiteChecksTable {
  id: Generated<number>
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  percent: Default<number>
  videos: number | null
  files: number | null
  problemCount: number | null
  /** A JSON array of the first problems as `{kind, text}`. */
  problems: Default<string>
  error: string | null
}
