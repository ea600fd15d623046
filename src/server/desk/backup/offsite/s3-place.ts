import { createWriteStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import { CommandError } from '#server/platform/errors.ts'
import type { S3Place } from '#server/platform/s3-place.ts'
import { readBounded } from '../bounded-json.ts'
import { atMost, type BackupPlace, objectIsMissing, textIsTooLarge } from './backup-place.ts'

/** Larger files travel in parts of this size, each tried again by itself. */
const PART_BYTES = 16 * 1024 * 1024
const REQUEST_TIMEOUT_MS = 10 * 60_000

/** A bucket of S3-compatible storage. Failures are sentences that name what the storage answered. */
export function openS3Place({ bucket, prefix, endpoint, region, ...keys }: S3Place): BackupPlace {
  const s3 = new S3mini({
    ...keys,
    endpoint: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    region,
    minPartSize: PART_BYTES,
    requestAbortTimeout: REQUEST_TIMEOUT_MS,
  })
  const ask = async <Answer>(failure: string, work: () => Promise<Answer>) => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw new CommandError(`${failure} ${(error as Error).message}`)
    }
  }
  return {
    list: (below) =>
      ask('The backup target could not be listed:', async () => {
        const objects = (await s3.listObjects('/', prefix + below)) ?? []
        return new Map(objects.map(({ Key, Size }) => [Key.slice(prefix.length), Number(Size)]))
      }),
    put: (name, path) =>
      ask(`The backup target could not take ${name}:`, async () => {
        const { size } = await stat(path)
        const answer = await s3.putAnyObject(prefix + name, await openAsBlob(path))
        if (!answer.ok) throw new Error(`status ${answer.status}`)
        const stored = await s3.getContentLength(prefix + name)
        if (stored !== size) throw new Error(`it has ${stored} bytes instead of ${size}`)
      }),
    putText: (name, text) =>
      ask(`The backup target could not take ${name}:`, async () => {
        await s3.putObject(prefix + name, text, 'application/json')
      }),
    fetch: (name, { path, maxBytes }) =>
      ask(`The backup target could not hand out ${name}:`, async () => {
        const answer = await s3.getObjectResponse(prefix + name)
        if (!answer?.body) throw objectIsMissing(name)
        const body = Readable.fromWeb(answer.body as ReadableStream)
        await pipeline(body, atMost(maxBytes, name), createWriteStream(path))
      }),
    readText: (name) =>
      ask(`The backup target could not hand out ${name}:`, async () => {
        const answer = await s3.getObjectResponse(prefix + name)
        if (!answer?.body) return undefined
        const text = await readBounded(Readable.fromWeb(answer.body as ReadableStream))
        if (text === undefined) throw textIsTooLarge(name)
        return text
      }),
    remove: (names) =>
      ask('The backup target could not delete old objects:', async () => {
        if (names.length > 0) await s3.deleteObjects(names.map((name) => prefix + name))
      }),
  }
}
