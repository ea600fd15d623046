import { z } from 'zod'

export type S3Place = {
  bucket: string
  /** Empty, or ending in a slash. */
  prefix: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Without credentials: addresses are shown. */
export const S3_ADDRESS = /^s3:\/\/[^/@?\s]+(\/[^@?\s]*)?$/

export const s3Variables = {
  ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine(isPlainAddress, { error: 'must be an address without a user, a password or a query' })
    .optional(),
  REGION: z.string().default('auto'),
  KEY: z.string().trim().optional(),
}

function isPlainAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password, search, hash } = new URL(address)
  return username + password + search + hash === ''
}

type Variables = Record<string, unknown> & {
  [Name in `${string}_S3_${'ENDPOINT' | 'REGION' | 'ACCESS_KEY_ID' | 'SECRET_ACCESS_KEY'}`]?:
    | string
    | undefined
}

/** @returns a sentence if incomplete */
export function readS3Place(
  values: Variables,
  { variable, names }: { variable: string; names: `${string}_S3` },
): S3Place | string {
  const target = String(values[variable])
  const [bucket = '', ...path] = target.slice('s3://'.length).split('/')
  const missing = (['ENDPOINT', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const)
    .map((end) => `${names}_${end}` as const)
    .find((name) => !values[name])
  if (missing) return `${missing} must be set, since ${variable} is '${target}'.`
  return {
    bucket,
    prefix: path
      .filter(Boolean)
      .map((part) => `${part}/`)
      .join(''),
    endpoint: values[`${names}_ENDPOINT`] ?? '',
    region: values[`${names}_REGION`] ?? '',
    accessKeyId: values[`${names}_ACCESS_KEY_ID`] ?? '',
    secretAccessKey: values[`${names}_SECRET_ACCESS_KEY`] ?? '',
  }
}

export function s3Environment(names: string, place: S3Place | undefined) {
  return {
    [`${names}_ENDPOINT`]: place?.endpoint,
    [`${names}_REGION`]: place?.region,
    [`${names}_ACCESS_KEY_ID`]: place?.accessKeyId,
    [`${names}_SECRET_ACCESS_KEY`]: place?.secretAccessKey,
  }
}

export function s3Address({ bucket, prefix }: S3Place): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '')
}

/** Empty values keep a child from others of `.env` or secret files. */
export function wholeEnvironment(
  variables: Record<string, string | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => [
      [name, value ?? ''],
      [`${name}_FILE`, ''],
    ]),
  )
}
