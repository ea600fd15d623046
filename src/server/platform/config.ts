import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { SHARE_FILE_BYTES_MAX } from '#shared/limits.ts'
import { readHost } from '#shared/local-host.ts'
import { describeValue, loadSettingsFile, readSecretFiles } from './environment.ts'
import { ConfigError } from './errors.ts'
import { inboxVariables, readImportFolders, readInbox } from './inbox-config.ts'
import { mailVariables, readMail } from './mail-config.ts'
import { MEDIA_SECRETS, mediaVariables, readMedia } from './media-config.ts'
import { offsiteVariables, readOffsite } from './offsite-config.ts'
import { type EnvironmentProvider, providerSecrets, readProviders } from './provider-config.ts'

/** In the working directory. */
const SETTINGS_FILE = '.env'
/** Or in the file of `<name>_FILE`. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'METRICS_TOKEN',
  'SMTP_URL',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'BACKUP_AGE_IDENTITY',
  ...MEDIA_SECRETS,
]

const POSTGRES_ADDRESS = /^postgres(ql)?:\/\/[^/\s]+\/[^/?\s]+(\?\S*)?$/
const FOLDER_IS_NOT_SHARED =
  'MEDIA_STORE must name object storage, since DATABASE_URL is set: the nodes of a site share no folder.'
const DIRECT_ALONE =
  'DATABASE_DIRECT_URL needs DATABASE_URL beside it: the same database, behind a pooler.'
const OLD_FOLDER_IS_NOT_SHARED =
  'MEDIA_STORE_OLD must not be folder, since DATABASE_URL is set: the nodes of a site share no folder. Take it out, and move the media first: npm run move-media -- folder s3://bucket/prefix.'

const MAIL_NEEDS_ADDRESS =
  'No email is sent: PUBLIC_URL must be set too, since links in email begin with it.'

/** With several nodes. */
const DRAIN_SECONDS = 10
const MEGABYTE = 1_000_000

const wholeNumber = (error: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { error })

const address = (value: string) => {
  const [ip, bits, ...rest] = value.split('/')
  const family = isIP(ip ?? '')
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const isOrigin = (value: string) => {
  const { href, origin } = new URL(value)
  return href === `${origin}/`
}

const list = (value: string) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

const hosts = z
  .string()
  .transform(list)
  .refine((entries) => entries.every((host) => readHost(host) !== undefined), {
    error: 'must be hosts, with or without a port, separated by commas',
  })
  .transform((entries) => entries.map(readHost).filter((host) => host !== undefined))

const environmentSchema = z.object({
  PORT: wholeNumber('must be a port from 0 to 65535', 0, 65_535).default(3000),
  HOST: z.string().min(1, 'must be an address to listen on').default('0.0.0.0'),
  DATA_DIR: z
    .string()
    .min(1, 'must be a folder')
    .default('data')
    .transform((folder) => resolve(folder)),
  DATABASE_URL: z
    .string()
    .regex(POSTGRES_ADDRESS, 'must be postgres://user:password@host/database')
    .optional(),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(POSTGRES_ADDRESS, 'must be postgres://user:password@host/database')
    .optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine(isOrigin, 'must be an address without a path, such as https://clips.example.org')
    .transform((url) => new URL(url).origin)
    .optional(),
  TRUSTED_PROXY: z
    .string()
    .transform(list)
    .refine((entries) => entries.every(address), {
      error: 'must be addresses or CIDR ranges, separated by commas',
    })
    .default([]),
  DRAIN_SECONDS: wholeNumber('must be a number of seconds from 0 to 600', 0, 600).optional(),
  RATE_LIMIT_SCALE: z.coerce
    .number({ error: 'must be a number above 0' })
    .positive('must be a number above 0')
    .max(1_000_000, 'must be at most 1000000')
    .default(1),
  MAX_VIDEO_BYTES: wholeNumber('must be a number of bytes', 1).default(524_288_000),
  MAX_THUMBNAIL_BYTES: wholeNumber('must be a number of bytes', 1).default(2_097_152),
  USER_QUOTA_BYTES: wholeNumber('must be a number of bytes', 1).optional(),
  PROCESSING_JOBS: wholeNumber('must be a number from 0 to 64', 0, 64).default(1),
  RENDITIONS: z
    .string()
    .transform((value) => list(value).map(Number))
    .refine(
      (heights) =>
        heights.length > 0 && heights.every((h) => Number.isInteger(h) && h >= 144 && h <= 4320),
      {
        error: 'must be heights from 144 to 4320, separated by commas',
      },
    )
    .default([1080, 720, 480]),
  CHAT_FILE_MB: wholeNumber('must be a number from 1 to 20', 1, 20).default(
    SHARE_FILE_BYTES_MAX / MEGABYTE,
  ),
  LOCAL_HOSTS: hosts.default([]),
  PUSH_SERVICES: hosts.default([]),
  YT_DLP: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  COMMIT: z
    .string()
    .regex(/^[\da-f]{7,64}$/, 'must be the hash of a commit')
    .optional(),
  X_ACCEL_PREFIX: z.string().startsWith('/', 'must start with a slash').optional(),
  ...offsiteVariables,
  ...mediaVariables,
  ...mailVariables,
  ...inboxVariables,
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters and no spaces')
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
})

export type { EnvironmentProvider }

export type Config = ReturnType<typeof readConfig>

/**
 * `CLUTCH_STOP_AT`: a step, and after a colon the occurrence.
 * @throws ConfigError for an unknown step
 */
export function readFailpoint(
  steps: readonly string[],
  environment: Record<string, string | undefined> = process.env,
): { step: string; times: number; isPause: boolean } | undefined {
  const given = environment.CLUTCH_STOP_AT
  if (!given) return undefined
  const [step = '', times = '1', ...rest] = given.split(':')
  const isPause = rest[0] === 'pause'
  const isKnown = rest.length === (isPause ? 1 : 0) && steps.includes(step)
  if (!isKnown || !/^[1-9]\d{0,3}$/.test(times)) {
    throw new ConfigError(`CLUTCH_STOP_AT must be the name of a step, but is '${given}'.`)
  }
  return { step, times: Number(times), isPause }
}

export function childEnvironment(defaults: Record<string, string>) {
  return { ...defaults, ...process.env }
}

function readEnvironment(): Record<string, string | undefined> {
  loadSettingsFile(SETTINGS_FILE)
  return process.env
}

/**
 * Empty counts as unset.
 * @throws ConfigError naming the first invalid variable
 */
export function readConfig(environment: Record<string, string | undefined> = readEnvironment()) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const secrets = [...SECRETS, ...providerSecrets(set)]
  const given = readSecretFiles(set, secrets)
  const result = environmentSchema.safeParse(given)
  if (!result.success) {
    const issue = result.error.issues[0]
    const name = String(issue?.path[0])
    const shown = secrets.includes(name) ? '' : describeValue(`${given[name]}`)
    throw new ConfigError(`${name} ${issue?.message ?? 'is wrong'}${shown}.`)
  }
  const values = result.data
  const offsite = readOffsite(values)
  if (typeof offsite === 'string') throw new ConfigError(offsite)
  const media = readMedia(values)
  if (typeof media === 'string') throw new ConfigError(media)
  const mail = readMail(values)
  if (typeof mail === 'string') throw new ConfigError(mail)
  const inbox = readInbox(values)
  if (typeof inbox === 'string') throw new ConfigError(inbox)
  const importFolders = readImportFolders(values)
  if (typeof importFolders === 'string') throw new ConfigError(importFolders)
  const providers = readProviders(given)
  if (typeof providers === 'string') throw new ConfigError(providers)
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL) throw new ConfigError(DIRECT_ALONE)
  if (values.DATABASE_URL && !media.store) throw new ConfigError(FOLDER_IS_NOT_SHARED)
  if (values.DATABASE_URL && media.old === 'folder') throw new ConfigError(OLD_FOLDER_IS_NOT_SHARED)
  return {
    port: values.PORT,
    host: values.HOST,
    dataFolder: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    /** Bypasses a pooler without sessions. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    /** Undefined to take each request's. */
    publicUrl: values.PUBLIC_URL,
    secureCookies: values.PUBLIC_URL?.startsWith('https:') ?? false,
    trustedProxies: values.TRUSTED_PROXY,
    /** Service after SIGTERM, until load balancers notice. */
    drainSeconds: values.DRAIN_SECONDS ?? (values.DATABASE_URL ? DRAIN_SECONDS : 0),
    rateLimitScale: values.RATE_LIMIT_SCALE,
    maxVideoBytes: values.MAX_VIDEO_BYTES,
    maxThumbnailBytes: values.MAX_THUMBNAIL_BYTES,
    userQuotaBytes: values.USER_QUOTA_BYTES,
    processingJobs: values.PROCESSING_JOBS,
    renditionHeights: values.RENDITIONS,
    /** Maximum size of the file for chats. */
    chatFileBytes: values.CHAT_FILE_MB * MEGABYTE,
    /** Commit of a build outside its repository. */
    commit: values.COMMIT,
    xAccelPrefix: values.X_ACCEL_PREFIX,
    media,
    offsite,
    inbox,
    /** Folders from which admins may import in the desk. */
    importFolders,
    /** Undefined if the site sends no email. */
    mail: values.PUBLIC_URL === undefined ? undefined : mail,
    mailProblem: mail && values.PUBLIC_URL === undefined ? MAIL_NEEDS_ADDRESS : undefined,
    providers,
    /** Added to those of the site's settings, see `readHost`. */
    localHosts: values.LOCAL_HOSTS,
    /** Added to the push services of browsers, see `readHost`. */
    pushServices: values.PUSH_SERVICES,
    /** Path of the program; undefined if imports with it are off. */
    ytDlp: values.YT_DLP,
    /** Without it metrics are local only. */
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  }
}
