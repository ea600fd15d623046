import { createWriteStream, openAsBlob } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '#server/platform/errors.ts'
import { type OpenedObject, openBucket } from '#server/platform/files/s3/bucket.ts'
import type { S3Limits } from '#server/platform/files/s3/s3-requests.ts'
import type { S3Place } from '#server/platform/s3-place.ts'
import { readBounded } from '../bounded-json.ts'
import { atMost, type BackupPlace, objectIsMissing, textIsTooLarge } from './backup-place.ts'

/** Errors quote the storage's answer. */
export function openS3Place(place: S3Place, limits?: S3Limits): BackupPlace {
  const bucket = openBucket(place, { called: 'The storage', limits })
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
        const objects = new Map<string, number>()
        for await (const { key, bytes } of bucket.list(below)) objects.set(key, bytes)
        return objects
      }),
    put: (name, path) =>
      ask(`The backup target could not take ${name}:`, async () => {
        await bucket.put(name, await openAsBlob(path))
      }),
    putText: (name, text) =>
      ask(`The backup target could not take ${name}:`, async () => {
        await bucket.put(name, new Blob([text]))
      }),
    fetch: (name, { path, maxBytes }) =>
      ask(`The backup target could not hand out ${name}:`, async () => {
        const write = ({ body }: OpenedObject) =>
          pipeline(body, atMost(maxBytes, name), createWriteStream(path)).then(() => true)
        if (!(await bucket.read(name, write))) throw objectIsMissing(name)
      }),
    readText: (name) =>
      ask(`The backup target could not hand out ${name}:`, async () => {
        const found = await bucket.read(name, async ({ body }) => ({
          text: await readBounded(body),
        }))
        if (found && found.text === undefined) throw textIsTooLarge(name)
        return found?.text
      }),
    remove: (names) =>
      ask('The backup target could not delete old objects:', () => bucket.remove(names)),
  }
}
