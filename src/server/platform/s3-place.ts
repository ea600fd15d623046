import { z } from 'zod'

/** A bucket of S3-compatible storage, or a part of one. */
export type S3Place = {
  bucket: string
  /** Before the names of all objects; empty, or ending in a slash. */
  prefix: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** No user or key: those have variables of their own, and an address is shown. */
export const S3_ADDRESS = /^s3:\/\/[^/@?\s]+(\/[^@?\s]*)?$/

/** What the variables of an S3 place must be, by the end of their names. */
export const s3Variables = {
  ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine(isPlainAddress, { error: 'must be an address without a user, a password or a query' })
    .optional(),
  REGION: z.string().default('auto'),
  KEY: z.string().trim().optional(),
}

/** Errors and logs name it. */
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

/**
 * Reads the place that a variable names as `s3://bucket/prefix`, and those of its address and key.
 * @returns a sentence where one of them is missing
 */
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

/** The variables that make `readS3Place` answer `place`, for a child process. */
export function s3Environment(names: string, place: S3Place | undefined) {
  return {
    [`${names}_ENDPOINT`]: place?.endpoint,
    [`${names}_REGION`]: place?.region,
    [`${names}_ACCESS_KEY_ID`]: place?.accessKeyId,
    [`${names}_SECRET_ACCESS_KEY`]: place?.secretAccessKey,
  }
}

/** The address of a place as its variable has it. */
export function s3Address({ bucket, prefix }: S3Place): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '')
}

/**
 * Variables for a child process. The empty ones keep it from taking others from `.env`, or secrets once more from the
 * files that it names.
 */
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
