import type { Generated } from 'kysely'
import type { DataExportFormat } from '#shared/schemas/settings.schemas.ts'
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
  /** Asks for a passkey after the password, even if no rule of the site requires it. */
  passkeyAfterPassword: Default<Flag>
  createdAt: string
  bannedAt: string | null
  /** 30 days after the ban. */
  banDeletes: Default<Flag>
  /** Shown to the member. */
  banReason: string | null
  /** During deletion; for comments on others' videos. */
  deletion: 'keep-comments' | 'with-comments' | null
  /** When the account will be deleted, as its member asked. Until then it has no sessions. */
  deletesAt: string | null
  /** Null for the site's. */
  quotaBytes: number | null
  /** For new videos; null for the site's default. */
  defaultVisibility: Visibility | null
  /** See `account/room/`; kept by triggers. */
  storageBytes: Default<number>
  avatarBytes: Default<number>
  bannerBytes: Default<number>
  /** When the member followed a link that was sent to the address; null after a change of the address. */
  emailVerifiedAt: string | null
  /** When the mail server refused the address; null once it accepts an email again. */
  emailRefusedAt: string | null
  /** Uploads need no approval. */
  isTrustedUploader: Default<Flag>
}

export type SignInMethod = 'password' | 'provider' | 'passkey'

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
  method: Default<SignInMethod>
  /** Range of addresses of the last use, see `rangeOf` in `request/client-address.ts`. */
  address: string | null
  /** Exact to ten minutes. */
  lastUsedAt: string | null
  /** For `provider`: the provider; `providerSession` is its own id of the session, if it sends one. */
  providerId: Default<number | null>
  providerSession: Default<string | null>
}

export interface IdentityProvidersTable {
  id: Generated<number>
  /** From `OIDC_…` variables, or entered by an admin. */
  source: 'environment' | 'desk'
  kind: 'oidc' | 'discord'
  name: string
  /** Has a trailing slash only if the provider's own issuer has one. */
  issuer: string
  clientId: string
  /** Null for a provider of the environment, whose secret is in a variable. */
  clientSecret: string | null
  /** Everybody who can sign in there gets an account, even while registration is closed. */
  makesAccounts: Default<Flag>
  /** Name and avatar follow those of the provider. */
  takesProfile: Default<Flag>
  /** Discord: the server whose members may sign in. */
  guildId: string | null
  /** Discord: JSON, see `roleRuleSchema`. */
  roleRules: Default<string>
  /** False once its variables are gone. */
  isActive: Default<Flag>
  createdAt: string
}

/** An account of a provider that a member signs in with. */
export interface IdentitiesTable {
  id: Generated<number>
  providerId: number
  /** The provider's id of the account. */
  subject: string
  userId: number
  /** Name of the account at the provider. */
  name: string
  /** Address of the last copied avatar. */
  avatar: string | null
  /** Discord: used by the daily check. */
  refreshToken: string | null
  /** JSON: rights that a role gave, which are taken away with the role. */
  grants: Default<string>
  createdAt: string
  lastUsedAt: string
  /** When membership and roles were last checked. */
  checkedAt: string
  /** Whether the account here was created by signing in with it. */
  madeAccount: Default<Flag>
  /** Discord: when the member was found to have left the server; null again after the next sign-in with Discord. */
  leftAt: Default<string | null>
}

/** A sign-in that needs another step, such as a time code or the answer of an identity provider. */
export interface SignInStepsTable {
  /** SHA-256 of the token in the cookie, in hexadecimal. */
  id: string
  kind: string
  /** The member who completed the first step, if it identified one. */
  userId: number | null
  /** JSON, with a schema for each kind. */
  data: string
  expiresAt: string
}

export interface SignInSettingsTable {
  id: number
  /** Minimum number of characters of a new password. */
  passwordMin: Default<number>
  passwordsFor: Default<'everybody' | 'admins'>
  /** The buttons of identity providers are above the password form. */
  providersFirst: Default<Flag>
  secondFactorFor: Default<'nobody' | 'admins' | 'everybody'>
  /** When a second factor becomes required; null means at once. */
  secondFactorFrom: string | null
  /** Refuses passwords over plain HTTP if `PUBLIC_URL` is https. */
  needsHttps: Default<Flag>
}

export interface TimeCodesTable {
  userId: number
  /** Base32, as authenticator apps read it. See docs/decisions/0079-second-factor.md. */
  secret: string
  /** Time step of 30 s. Codes of this and earlier steps are used up. */
  lastStep: number
  createdAt: string
}

/** Deleted when used. */
export interface RecoveryCodesTable {
  userId: number
  /** SHA-256, in hexadecimal. */
  codeHash: string
  createdAt: string
}

export interface PasskeysTable {
  id: Generated<number>
  userId: number
  /** Base64url, as are `userHandle` and `publicKey` (COSE). */
  credentialId: string
  /** Random, the same for all passkeys of a member. */
  userHandle: string
  publicKey: string
  /** Number of uses that the authenticator reports; 0 if it does not count them. */
  counter: number
  /** JSON. */
  transports: string
  name: string
  /** The passkey is synced by a password manager or account, so it survives the loss of the device. */
  isBackedUp: Flag
  createdAt: string
  lastUsedAt: string | null
}

/** Members who were notified that a second factor becomes required, with the date. */
export interface SecondFactorNoticesTable {
  userId: number
  requiredFrom: string
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
  /** Null for links made by an admin. A mailed link works while the account has this address. */
  mailedTo: string | null
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
  /** Range of addresses of the last use, as in `SessionsTable`. */
  address: string | null
  /** `User-Agent` of the last use. */
  userAgent: string | null
  expiresAt: string | null
}

/** Downloads of a member's data; at most one per member. */
export interface DataExportsTable {
  id: Generated<number>
  userId: number
  format: Default<DataExportFormat>
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Writes of an earlier attempt are refused. */
  attempt: Default<number>
  percent: Default<number>
  runAfter: string
  createdAt: string
  finishedAt: string | null
  expiresAt: string
  /** Size of the archive. */
  bytes: Default<number>
  /** Number of media files in the archive. */
  fileCount: Default<number>
  error: string | null
}

/** The text of `account.json`, in pieces. */
export interface DataExportPartsTable {
  exportId: number
  number: number
  /** Path in the archive of the text file that the part belongs to. */
  path: Default<string>
  /** Length in UTF-8. */
  bytes: number
  content: string
  /** Checksum of the file up to the end of this part; 0 in an archive without checksums. */
  crc32: Default<number>
}

/** Media in the archive, which stay where they are. */
export interface DataExportFilesTable {
  exportId: number
  number: number
  /** Path in the archive. */
  path: string
  mediaKey: string
  name: string
  bytes: number
  /** 0 in an archive without checksums. */
  crc32: Default<number>
}
