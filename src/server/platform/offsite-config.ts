import { isAbsolute } from 'node:path'
import { z } from 'zod'
import {
  readS3Place,
  S3_ADDRESS,
  type S3Place,
  s3Environment,
  s3Variables,
  wholeEnvironment,
} from './s3-place.ts'

const keyed = (prefix: RegExp, error: string) => z.string().trim().regex(prefix, error).optional()

export const offsiteVariables = {
  BACKUP_TARGET: z
    .string()
    .refine((target) => isAbsolute(target) || S3_ADDRESS.test(target), {
      error: 'must be the whole path of a folder, or s3://bucket/prefix',
    })
    .optional(),
  BACKUP_S3_ENDPOINT: s3Variables.ENDPOINT,
  BACKUP_S3_REGION: s3Variables.REGION,
  BACKUP_S3_ACCESS_KEY_ID: s3Variables.KEY,
  BACKUP_S3_SECRET_ACCESS_KEY: s3Variables.KEY,
  BACKUP_AGE_RECIPIENT: keyed(/^age1[0-9a-z]{20,}$/, 'must be an age recipient (age1…)'),
  BACKUP_AGE_IDENTITY: keyed(/^AGE-SECRET-KEY-[0-9A-Z-]{20,}$/, 'must be an age identity'),
}

type Variables = z.infer<z.ZodObject<typeof offsiteVariables>>

export type Offsite = {
  place: { folder: string } | { s3: S3Place }
  target: string
  /** age recipient; unencrypted without. */
  recipient: string | undefined
  /** For restores and drills only. */
  identity: string | undefined
}

/** @returns a sentence if incomplete */
export function readOffsite(values: Variables): Offsite | string | undefined {
  const target = values.BACKUP_TARGET
  if (target === undefined) return undefined
  const keys = { recipient: values.BACKUP_AGE_RECIPIENT, identity: values.BACKUP_AGE_IDENTITY }
  if (!target.startsWith('s3://')) return { place: { folder: target }, target, ...keys }
  const s3 = readS3Place(values, { variable: 'BACKUP_TARGET', names: 'BACKUP_S3' })
  if (typeof s3 === 'string') return s3
  return { place: { s3 }, target, ...keys }
}

export function offsiteEnvironment(offsite: Offsite | undefined): Record<string, string> {
  if (!offsite) return {}
  const { place, target, recipient, identity } = offsite
  return wholeEnvironment({
    BACKUP_TARGET: target,
    ...s3Environment('BACKUP_S3', 's3' in place ? place.s3 : undefined),
    BACKUP_AGE_RECIPIENT: recipient,
    BACKUP_AGE_IDENTITY: identity,
  })
}
