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
  /** When the account is deleted, as its member asked. Until then nobody is signed in to it. */
  deletesAt: string | null
  /** Null for the site's. */
  quotaBytes: number | null
  /** For new videos; null for the site's default. */
  defaultVisibility: Visibility | null
  /** See `account/room/`; kept by triggers. */
  storageBytes: Default<number>
  avatarBytes: Default<number>
  bannerBytes: Default<number>
  /** When its owner followed a link that was sent there; null after a change. */
  emailVerifiedAt: string | null
  /** When the mail server refused the address, until it accepts it. */
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
  /** Range that it was last used from, see `rangeOf` in `request/client-address.ts`. */
  address: string | null
  /** Within some minutes. */
  lastUsedAt: string | null
  /** For `provider`: which one, and its name for the session there, if it has one. */
  providerId: Default<number | null>
  providerSession: Default<string | null>
}

export interface IdentityProvidersTable {
  id: Generated<number>
  /** From `OIDC_…` variables, or entered by an admin. */
  source: 'environment' | 'desk'
  kind: 'oidc' | 'discord'
  name: string
  /** With a trailing slash only if the provider has one. */
  issuer: string
  clientId: string
  /** Null for a provider of the environment, where its secret is. */
  clientSecret: string | null
  /** For everybody who can sign in there, even while registration is closed. */
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
  /** As the provider shows it. */
  name: string
  /** Address of the avatar that was copied last. */
  avatar: string | null
  /** Discord: for the daily check. */
  refreshToken: string | null
  /** JSON: what a role gave, which is taken away with the role. */
  grants: Default<string>
  createdAt: string
  lastUsedAt: string
  /** When membership and roles were last checked. */
  checkedAt: string
}

/** A sign-in that needs another step, such as a time code or the answer of an identity provider. */
export interface SignInStepsTable {
  /** SHA-256 of the token in the cookie, in hexadecimal. */
  id: string
  kind: string
  /** Whose first step was right, if it had one. */
  userId: number | null
  /** JSON, by kind. */
  data: string
  expiresAt: string
}

export interface SignInSettingsTable {
  id: number
  /** Characters of a new password. */
  passwordMin: Default<number>
  passwordsFor: Default<'everybody' | 'admins'>
  /** Buttons of identity providers above the form for passwords. */
  providersFirst: Default<Flag>
  secondFactorFor: Default<'nobody' | 'admins' | 'everybody'>
  /** When it becomes required. */
  secondFactorFrom: string | null
  /** Refuses to sign in by http when the site's address is https. */
  needsHttps: Default<Flag>
}

export interface TimeCodesTable {
  userId: number
  /** Base32, as authenticator apps read it. See docs/decisions/0079-second-step.md. */
  secret: string
  /** 30 s each; codes of this one and earlier ones are used up. */
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
  /** Uses that the authenticator reports; 0 if it does not count. */
  counter: number
  /** JSON */
  transports: string
  name: string
  /** Kept by a password manager or account, so that it outlives the device. */
  isBackedUp: Flag
  createdAt: string
  lastUsedAt: string | null
}

/** Who was told that a second step becomes required, and from when. */
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
  /** Null for a link of an admin. It works while the account has this address. */
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
  /** As in `SessionsTable`. */
  address: string | null
  /** What the program that used it last calls itself. */
  userAgent: string | null
  expiresAt: string | null
}

/** What the site knows about a member, to be downloaded; at most one per member. */
export interface DataExportsTable {
  id: Generated<number>
  userId: number
  state: 'queued' | 'running' | 'done' | 'failed'
  /** What an earlier attempt still writes is refused. */
  attempt: Default<number>
  percent: Default<number>
  runAfter: string
  createdAt: string
  finishedAt: string | null
  expiresAt: string
  /** Of the archive. */
  bytes: Default<number>
  /** Media in it. */
  fileCount: Default<number>
  error: string | null
}

/** The text of `account.json`, in pieces. */
export interface DataExportPartsTable {
  exportId: number
  number: number
  /** In UTF-8. */
  bytes: number
  content: string
}

/** Media in the archive, which stay where they are. */
export interface DataExportFilesTable {
  exportId: number
  number: number
  /** In the archive. */
  path: string
  mediaKey: string
  name: string
  bytes: number
}
