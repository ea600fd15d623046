import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type S3Place, s3Address } from '../s3-place.ts'
import { openLocalCopies } from './local-copies.ts'
import { type FileToPut, type MediaStore, StoreError } from './media-store.ts'
import { openBucket } from './s3/bucket.ts'
import { S3_LIMITS, type S3Limits } from './s3/s3-requests.ts'
import { forEachOfFew } from './s3/s3-upload.ts'
import { guardKeys, isSafeKey } from './safe-keys.ts'

const FILES_AT_ONCE = 4

/** With a local cache; see docs/decisions/0041-object-storage.md. */
export async function openS3Store(
  place: S3Place,
  options: {
    cacheFolder: string
    cacheBytes: number
    freeBytes: () => Promise<number>
    findDeleteLock?: () => string | undefined
    limits?: S3Limits
  },
): Promise<MediaStore> {
  const { cacheFolder: folder, cacheBytes: bytes, freeBytes, limits = S3_LIMITS } = options
  const bucket = openBucket(place, { called: 'The store of videos', limits })
  const { stat } = bucket
  const copies = await openLocalCopies({ folder, bytes, freeBytes })

  async function* list(prefix: string) {
    for await (const file of bucket.list(prefix)) {
      // An address with '..' would become another object's.
      if (isSafeKey(file.key)) yield file
    }
  }

  async function put(file: FileToPut): Promise<void> {
    const content =
      'path' in file ? await openAsBlob(file.path) : new Blob([new Uint8Array(file.bytes)])
    const state = await bucket.put(file.key, content)
    if ('path' in file) {
      await copies.keep(file.key, file.path, state).catch(() => rm(file.path, { force: true }))
    } else {
      await copies.remove(file.key)
    }
  }

  async function removeObjects(keys: readonly string[]): Promise<void> {
    const deleteLock = keys.length > 0 ? options.findDeleteLock?.() : undefined
    if (deleteLock !== undefined) throw new StoreError('refused', deleteLock)
    await bucket.remove(keys)
  }

  return guardKeys({
    put: (files) => forEachOfFew(files, FILES_AT_ONCE, put),

    openRange: async (key, range) => (await bucket.open(key, { range }))?.body,

    stat,
    list,

    async removePrefix(prefix) {
      // Readers first; copies fetched meanwhile are deleted afterwards.
      await copies.remove(prefix)
      try {
        if (!prefix.endsWith('/')) return await removeObjects([prefix])
        let keys: string[] = []
        for await (const { key } of list(prefix)) {
          if (keys.push(key) < limits.pageObjects) continue
          await removeObjects(keys)
          keys = []
        }
        await removeObjects(keys)
      } finally {
        await copies.remove(prefix)
      }
    },

    localCopy: (key) =>
      copies.use(key, (write) => bucket.read(key, ({ body, state }) => write(body, state))),

    localPath: copies.path,

    remote: {
      presign: (key, { seconds, contentDisposition }) =>
        bucket.presign(
          key,
          seconds,
          contentDisposition ? { 'response-content-disposition': contentDisposition } : {},
        ),
      address: s3Address(place),
      origin: new URL(place.endpoint).origin,
      problem: bucket.problem,
      copiedBytes: copies.bytes,
      listCopies: copies.keys,
      removeCopies: copies.remove,
    },
  })
}
