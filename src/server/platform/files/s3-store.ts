import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { S3mini, S3ServiceError } from 's3mini'
import { type S3Place, s3Address } from '../s3-place.ts'
import { contentTypeOf } from './content-type.ts'
import { openLocalCopies } from './local-copies.ts'
import { type FileState, type FileToPut, type MediaStore, StoreError } from './media-store.ts'
import { fetchWithLimit } from './s3/quiet-limit.ts'
import { createRequests, S3_LIMITS, type S3Limits } from './s3/s3-requests.ts'
import { forEachOfFew, uploadObject } from './s3/s3-upload.ts'
import { guardKeys, isSafeKey } from './safe-keys.ts'

const FILES_AT_ONCE = 4
/** Chunks and pictures, which somebody waits for, and no larger ones. */
const QUICK_BYTES = 4 * 1024 * 1024

/**
 * Media in a bucket of S3-compatible storage, with copies of what was put or needed as a file in the data folder; see
 * docs/decisions/0041-object-storage.md.
 */
export async function openS3Store(
  place: S3Place,
  options: {
    /** Where the copies lie. */
    cacheFolder: string
    cacheBytes: number
    freeBytes: () => Promise<number>
    /** Why nothing may be deleted in the bucket, as a sentence; asked each time. */
    findHold?: () => string | undefined
    limits?: S3Limits
  },
): Promise<MediaStore> {
  const { cacheFolder: folder, cacheBytes: bytes, freeBytes, limits = S3_LIMITS } = options
  const { bucket, prefix: before, endpoint, region, accessKeyId, secretAccessKey } = place
  const { quietMs, answerMs } = limits
  const connect = (answerMs: number) =>
    new S3mini({
      ...{ accessKeyId, secretAccessKey, region, fetch: fetchWithLimit({ answerMs, quietMs }) },
      endpoint: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    })
  /** For what a person may be waiting for, and for what takes its time. */
  const [s3, patient] = [connect(answerMs), connect(quietMs)]
  const { ask, askQuickly, brokenRead, problem } = createRequests(place, limits)
  const copies = await openLocalCopies({ folder, bytes, freeBytes })

  async function stat(key: string): Promise<FileState | undefined> {
    return askQuickly(async () => {
      const response = await requestFirstByte(s3, before + key)
      await response.body?.cancel()
      return stateOf(response)
    })
  }

  async function put(file: FileToPut): Promise<void> {
    const name = before + file.key
    const content =
      'path' in file ? await openAsBlob(file.path) : new Blob([new Uint8Array(file.bytes)])
    const way = content.size <= QUICK_BYTES ? { s3, ask: askQuickly } : { s3: patient, ask }
    await uploadObject({ ...way, name, content, type: contentTypeOf(file.key) })
    const state = await stat(file.key)
    if (state?.bytes !== content.size) {
      const kept = state ? `${state.bytes} bytes` : 'nothing'
      throw new StoreError('away', `The store kept ${kept} of ${file.key}, not ${content.size}.`)
    }
    if ('path' in file) {
      await copies.keep(file.key, file.path, state).catch(() => rm(file.path, { force: true }))
    } else {
      await copies.remove(file.key)
    }
  }

  async function* list(prefix: string) {
    let page: string | undefined
    do {
      const found = await ask(() =>
        patient.listObjectsPaged('/', before + prefix, limits.pageObjects, page),
      )
      if (!found) throw new StoreError('refused', `The store of videos has no bucket '${bucket}'.`)
      for (const { Key, Size, LastModified } of found.objects ?? []) {
        const key = Key.slice(before.length)
        // An address would be shortened at '..', and lead to another object.
        if (isSafeKey(key)) yield { key, bytes: Size, modifiedAt: LastModified }
      }
      page = found.nextContinuationToken
    } while (page)
  }

  /** One by one: not every store deletes several with one request, or takes the checksum that this one needs. */
  async function removeObjects(keys: readonly string[]): Promise<void> {
    const hold = keys.length > 0 ? options.findHold?.() : undefined
    if (hold !== undefined) throw new StoreError('refused', hold)
    await forEachOfFew(keys, FILES_AT_ONCE, async (key) => {
      await askQuickly(() => s3.deleteObject(before + key))
    })
  }

  return guardKeys({
    put: (files) => forEachOfFew(files, FILES_AT_ONCE, put),

    async openRange(key, range) {
      const response = await askQuickly(async () => {
        const { start, end } = range ?? { start: 0, end: -1 }
        const answer = await s3.getObjectRaw(before + key, !range, start, end + 1)
        if (!range || answer.status === 206) return answer
        await answer.body?.cancel()
        throw new StoreError('refused', 'The store of videos does not send parts of files.')
      })
      return response && readableOf(response, brokenRead)
    },

    stat,
    list,

    async removePrefix(prefix) {
      // Whoever reads one is cut off at once; what somebody fetches meanwhile goes afterwards.
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

    localCopy(key) {
      return copies.use(key, (write) =>
        ask(async () => {
          const response = await patient.getObjectRaw(before + key)
          await write(
            readableOf(response, (error) => error as Error),
            stateOf(response),
          )
        }),
      )
    },

    localPath: copies.path,

    remote: {
      presign: (key, { seconds, contentDisposition }) =>
        s3.getPresignedUrl(
          'GET',
          before + key,
          seconds,
          contentDisposition ? { 'response-content-disposition': contentDisposition } : {},
        ),
      address: s3Address(place),
      origin: new URL(endpoint).origin,
      problem,
      copiedBytes: copies.bytes,
      listCopies: copies.keys,
      removeCopies: copies.remove,
    },
  })
}

/** The request for a file's size that every store answers in the same way; an empty file has no first byte. */
async function requestFirstByte(s3: S3mini, name: string): Promise<Response> {
  try {
    return await s3.getObjectRaw(name, false, 0, 1)
  } catch (error) {
    if (error instanceof S3ServiceError && error.status === 416) return s3.getObjectRaw(name)
    throw error
  }
}

function stateOf({ headers }: Response): FileState {
  const whole = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  const bytes = Number(whole ?? headers.get('content-length') ?? Number.NaN)
  if (!Number.isInteger(bytes)) throw new StoreError('away', 'it does not say how large a file is')
  return { bytes, modifiedAt: new Date(headers.get('last-modified') ?? 0) }
}

function readableOf({ body }: Response, explain: (error: unknown) => Error): Readable {
  if (!body) return Readable.from([])
  const reader = body.getReader()
  return new Readable({
    read() {
      reader.read().then(
        ({ value }) => this.push(value ?? null),
        (error: unknown) => this.destroy(explain(error)),
      )
    },
    destroy(error, done) {
      reader
        .cancel(error)
        .catch(() => {})
        .finally(() => done(error))
    },
  })
}
