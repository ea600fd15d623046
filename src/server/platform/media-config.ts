import { z } from 'zod'
import {
  readS3Place,
  S3_ADDRESS,
  type S3Place,
  s3Address,
  s3Environment,
  s3Variables,
  wholeEnvironment,
} from './s3-place.ts'

const DEFAULT_CACHE_BYTES = 10_000_000_000

export const mediaVariables = {
  MEDIA_STORE: z.string().regex(S3_ADDRESS, 'must be s3://bucket/prefix').optional(),
  MEDIA_S3_ENDPOINT: s3Variables.ENDPOINT,
  MEDIA_S3_REGION: s3Variables.REGION,
  MEDIA_S3_ACCESS_KEY_ID: s3Variables.KEY,
  MEDIA_S3_SECRET_ACCESS_KEY: s3Variables.KEY,
  MEDIA_CACHE_BYTES: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a number of bytes')
    .transform(Number)
    .default(DEFAULT_CACHE_BYTES),
  MEDIA_STORE_BYTES: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be a number of bytes')
    .transform(Number)
    .optional(),
  MEDIA_STORE_OLD: z
    .string()
    .refine((value) => value === 'folder' || S3_ADDRESS.test(value), {
      error: 'must be folder, or s3://bucket/prefix',
    })
    .optional(),
  MEDIA_OLD_S3_ENDPOINT: s3Variables.ENDPOINT,
  MEDIA_OLD_S3_REGION: s3Variables.REGION,
  MEDIA_OLD_S3_ACCESS_KEY_ID: s3Variables.KEY,
  MEDIA_OLD_S3_SECRET_ACCESS_KEY: s3Variables.KEY,
  MEDIA_DELIVERY: z
    .enum(['stream', 'redirect'], { error: 'must be stream or redirect' })
    .default('stream'),
  MEDIA_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine((url) => new URL(url).href === `${new URL(url).origin}/`, {
      error: 'must be an address without a path, such as https://cdn.example.org',
    })
    .transform((url) => new URL(url).origin)
    .optional(),
}

export const MEDIA_SECRETS = [
  'MEDIA_S3_ACCESS_KEY_ID',
  'MEDIA_S3_SECRET_ACCESS_KEY',
  'MEDIA_OLD_S3_ACCESS_KEY_ID',
  'MEDIA_OLD_S3_SECRET_ACCESS_KEY',
]

type Variables = z.infer<z.ZodObject<typeof mediaVariables>>

export type MediaConfig = {
  store: S3Place | undefined
  /** Previous store during a move. */
  old: 'folder' | S3Place | undefined
  cacheBytes: number
  limitBytes: number | undefined
  delivery: 'stream' | 'redirect'
  /** CDN for public files. */
  publicUrl: string | undefined
}

/** @returns a sentence if inconsistent */
export function readMedia(values: Variables): MediaConfig | string {
  const store = readPlace(values, { variable: 'MEDIA_STORE', names: 'MEDIA_S3' })
  const old = readPlace(values, { variable: 'MEDIA_STORE_OLD', names: 'MEDIA_OLD_S3' })
  if (typeof store === 'string') return store
  if (typeof old === 'string' && old !== 'folder') return old
  if (values.MEDIA_DELIVERY === 'redirect' && !store) {
    return "MEDIA_STORE must be set, since MEDIA_DELIVERY is 'redirect'."
  }
  const { MEDIA_CACHE_BYTES: cacheBytes, MEDIA_DELIVERY: delivery } = values
  const limitBytes = store && values.MEDIA_STORE_BYTES
  return { store, old, cacheBytes, limitBytes, delivery, publicUrl: values.MEDIA_PUBLIC_URL }
}

function readPlace(
  values: Variables,
  input: { variable: 'MEDIA_STORE' | 'MEDIA_STORE_OLD'; names: 'MEDIA_S3' | 'MEDIA_OLD_S3' },
): 'folder' | S3Place | string | undefined {
  const target = values[input.variable]
  return target === undefined || target === 'folder' ? target : readS3Place(values, input)
}

export function mediaEnvironment(media: MediaConfig): Record<string, string> {
  const old = media.old === 'folder' ? undefined : media.old
  return wholeEnvironment({
    MEDIA_STORE: media.store && s3Address(media.store),
    ...s3Environment('MEDIA_S3', media.store),
    MEDIA_CACHE_BYTES: String(media.cacheBytes),
    MEDIA_STORE_BYTES: media.limitBytes?.toString(),
    MEDIA_STORE_OLD: old ? s3Address(old) : media.old?.toString(),
    ...s3Environment('MEDIA_OLD_S3', old),
    MEDIA_DELIVERY: media.delivery,
    MEDIA_PUBLIC_URL: media.publicUrl,
  })
}
