import { isAbsolute } from 'node:path'
import { z } from 'zod'

const keyed = (prefix: RegExp, error: string) => z.string().trim().regex(prefix, error).optional()

/** The environment variables of the second place for backups. */
export const offsiteVariables = {
  BACKUP_TARGET: z
    .string()
    .refine((target) => isAbsolute(target) || /^s3:\/\/[^/]+(\/.*)?$/.test(target), {
      error: 'must be the whole path of a folder, or s3://bucket/prefix',
    })
    .optional(),
  BACKUP_S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional(),
  BACKUP_S3_REGION: z.string().default('auto'),
  BACKUP_S3_ACCESS_KEY_ID: z.string().trim().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().trim().optional(),
  BACKUP_AGE_RECIPIENT: keyed(/^age1[0-9a-z]{20,}$/, 'must be an age recipient (age1…)'),
  BACKUP_AGE_IDENTITY: keyed(/^AGE-SECRET-KEY-[0-9A-Z-]{20,}$/, 'must be an age identity'),
}

type Variables = z.infer<z.ZodObject<typeof offsiteVariables>>

export type S3Place = {
  bucket: string
  /** Before the names of all objects; empty, or ending in a slash. */
  prefix: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** The second place for backups. */
export type Offsite = {
  place: { folder: string } | { s3: S3Place }
  /** As the variable says it. */
  target: string
  /** Whom backups there are encrypted for; undefined leaves them readable. */
  recipient: string | undefined
  /** What decrypts them; only needed to restore and to prove a restore. */
  identity: string | undefined
}

/** @returns undefined where none is set, or a sentence that says what is missing */
export function readOffsite(values: Variables): Offsite | string | undefined {
  const target = values.BACKUP_TARGET
  if (target === undefined) return undefined
  const keys = { recipient: values.BACKUP_AGE_RECIPIENT, identity: values.BACKUP_AGE_IDENTITY }
  if (!target.startsWith('s3://')) return { place: { folder: target }, target, ...keys }
  const needed = ['BACKUP_S3_ENDPOINT', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY']
  const missing = needed.find((name) => !values[name as keyof Variables])
  if (missing) return `${missing} must be set, since BACKUP_TARGET is '${target}'.`
  const [bucket = '', ...path] = target.slice('s3://'.length).split('/')
  const prefix = path.filter(Boolean).map((part) => `${part}/`)
  const s3 = {
    ...{ bucket, prefix: prefix.join(''), endpoint: values.BACKUP_S3_ENDPOINT ?? '' },
    region: values.BACKUP_S3_REGION,
    accessKeyId: values.BACKUP_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.BACKUP_S3_SECRET_ACCESS_KEY ?? '',
  }
  return { place: { s3 }, target, ...keys }
}

/**
 * The variables that make `readOffsite` answer `offsite`, for a child process. The empty ones keep it from reading
 * secrets once more from the files that `.env` may name.
 */
export function offsiteEnvironment(offsite: Offsite | undefined): Record<string, string> {
  if (!offsite) return {}
  const { place, target, recipient, identity } = offsite
  const s3 = 's3' in place ? place.s3 : undefined
  const variables: Record<keyof typeof offsiteVariables, string | undefined> = {
    BACKUP_TARGET: target,
    BACKUP_S3_ENDPOINT: s3?.endpoint,
    BACKUP_S3_REGION: s3?.region,
    BACKUP_S3_ACCESS_KEY_ID: s3?.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: s3?.secretAccessKey,
    BACKUP_AGE_RECIPIENT: recipient,
    BACKUP_AGE_IDENTITY: identity,
  }
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => [
      [name, value ?? ''],
      [`${name}_FILE`, ''],
    ]),
  )
}
