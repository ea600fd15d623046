import type { Generated } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

export interface UsersTable {
  id: Generated<number>
  username: string
  password: string
  email: string
  displayName: string
  bio: string | null
  avatarUrl: string | null
  bannerUrl: string | null
  subscriberCount: Default<number>
  isAdmin: Default<Flag>
  showEmail: Default<Flag>
  historyPaused: Default<Flag>
  /** Whether followers who also show their presence see which video page the member has open. */
  showsPresence: Default<Flag>
  createdAt: string
  bannedAt: string | null
  /** 30 days after the ban. */
  banDeletes: Default<Flag>
  /** Shown to the member. */
  banReason: string | null
  /** During deletion; for comments on others' videos. */
  deletion: 'keep-comments' | 'with-comments' | null
  /** Null for the site's. */
  quotaBytes: number | null
  /** For new videos; null for the site's default. */
  defaultVisibility: Visibility | null
  /** See `account/room/`; kept by triggers. */
  storageBytes: Default<number>
  avatarBytes: Default<number>
  bannerBytes: Default<number>
}

export interface SessionsTable {
  id: string
  userId: number
  /** Unix seconds. */
  expiresAt: number
  rememberMe: Flag
  userAgent: string | null
  createdAt: string
  /** For actions that require the password. */
  confirmedAt: string | null
}

export interface InvitesTable {
  id: Generated<number>
  /** SHA-256 of the link's code, in hexadecimal. */
  codeHash: string
  usesMax: number
  uses: Default<number>
  expiresAt: string | null
  note: Default<string>
  createdBy: number | null
  createdAt: string
  revokedAt: string | null
}

export interface PasswordResetsTable {
  /** SHA-256 of the link's token, in hexadecimal. */
  tokenHash: string
  userId: number
  createdAt: string
  expiresAt: string
}

export interface ApiTokensTable {
  id: Generated<number>
  userId: number
  name: string
  scope: 'upload' | 'read'
  /** SHA-256; the token itself is not stored. */
  tokenHash: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}
