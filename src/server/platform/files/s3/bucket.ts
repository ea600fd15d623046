import type { Readable } from 'node:stream'
import { S3mini, S3ServiceError } from 's3mini'
import type { S3Place } from '../../s3-place.ts'
import type { ByteRange } from '../byte-range.ts'
import { contentTypeOf } from '../content-type.ts'
import { type FileState, type StoredFile, StoreError } from '../media-store.ts'
import { continuedRead, type Sent } from './continued-read.ts'
import { createPutProof, md5Of } from './put-proof.ts'
import { fetchWithLimit } from './quiet-limit.ts'
import { createRequests, S3_LIMITS, type S3Limits } from './s3-requests.ts'
import { forEachOfFew, uploadObject } from './s3-upload.ts'

const OBJECTS_AT_ONCE = 4
/** Chunks and pictures, for which users wait. */
const QUICK_BYTES = 4 * 1024 * 1024
const PUTS_MAX = 3

export type OpenedObject = { body: Readable; state: FileState }
type Ask = ReturnType<typeof createRequests>['ask']
type Way = { s3: S3mini; ask: Ask }

export type Bucket = ReturnType<typeof openBucket>

/**
 * Verifies writes, continues broken reads, throws StoreError.
 * @param options.called subject of messages, such as 'The store of videos'
 */
export function openBucket(
  place: S3Place,
  { called, limits = S3_LIMITS }: { called: string; limits?: S3Limits | undefined },
) {
  const { bucket, prefix: before, endpoint, region, accessKeyId, secretAccessKey } = place
  const { quietMs } = limits
  const proof = createPutProof()
  const requests = createRequests(place, { called, limits })
  const connect = (answerMs: number) =>
    new S3mini({
      ...{ accessKeyId, secretAccessKey, region },
      fetch: proof.through(fetchWithLimit({ answerMs, quietMs })),
      endpoint: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    })
  const ways = {
    quick: { s3: connect(limits.answerMs), ask: requests.askQuickly },
    patient: { s3: connect(quietMs), ask: requests.ask },
  }

  async function stat(key: string): Promise<FileState | undefined> {
    const { s3, ask } = ways.quick
    return ask(async () => {
      const response = await requestFirstByte(s3, before + key)
      await response.body?.cancel()
      return stateOf(response)
    })
  }

  /** @returns undefined if the stored bytes differ */
  async function putOnce(key: string, content: Blob): Promise<FileState | undefined> {
    const way = content.size <= QUICK_BYTES ? ways.quick : ways.patient
    const { isProven } = proof
    const upload = { ...way, name: before + key, content, type: contentTypeOf(key), isProven }
    const wasProven = await uploadObject(upload)
    try {
      const state = await stat(key)
      if (!state) throw new StoreError('away', `${called} kept nothing of ${key}.`)
      const isWhole = state.bytes === content.size && (wasProven || (await isKept(key, content)))
      return isWhole ? state : undefined
    } catch (error) {
      if (!wasProven) await remove([key]).catch(() => {})
      throw error
    }
  }

  /** Reads back what was written without proof. */
  async function isKept(key: string, content: Blob): Promise<boolean> {
    const read = await open(key, { way: ways.patient })
    if (!read) return false
    return (await md5Of(read.body)) === (await md5Of(content.stream()))
  }

  /** @param input.first makes the first request; `way` continues a broken read */
  async function openBy(
    { s3, ask }: Way,
    input: { key: string; range?: ByteRange | undefined; first: Ask },
  ): Promise<OpenedObject | undefined> {
    const { key, range, first } = input
    const name = before + key
    const response = await first(() => requestRange(s3, { name, range }))
    if (!response) return undefined
    const etag = response.headers.get('etag')
    const sent = sentOf(response)
    const reopen = async (start: number): Promise<Sent> => {
      const rest = { start, end: sent.end }
      const answer = await ask(() => requestRange(s3, { name, range: rest, etag }))
      if (answer) return sentOf(answer)
      throw new StoreError('away', `${called} has another ${key} than when its reading began.`)
    }
    return {
      body: continuedRead(sent, {
        reopen: etag === null ? undefined : reopen,
        explain: requests.brokenRead,
      }),
      state: stateOf(response),
    }
  }

  const open = (
    key: string,
    { range, way = ways.quick }: { range?: ByteRange | undefined; way?: Way } = {},
  ) => openBy(way, { key, range, first: way.ask })

  /** One by one: bulk deletion, or its checksum, is not in all stores. */
  async function remove(keys: readonly string[]): Promise<void> {
    const { s3, ask } = ways.quick
    await forEachOfFew(keys, OBJECTS_AT_ONCE, async (key) => {
      await ask(() => s3.deleteObject(before + key))
    })
  }

  return {
    stat,

    /** Retries a corrupted object, then deletes it: readers take objects for complete. */
    async put(key: string, content: Blob): Promise<FileState> {
      for (let puts = 1; ; puts++) {
        const state = await putOnce(key, content)
        if (state) return state
        if (puts < PUTS_MAX) continue
        await remove([key]).catch(() => {})
        throw requests.changed(key)
      }
    },

    open,

    /**
     * Restarts `work` where continuing is not enough.
     * @returns undefined if missing
     */
    read<Result>(key: string, work: (opened: OpenedObject) => Promise<Result>) {
      return ways.patient.ask(async () => {
        const opened = await openBy(ways.patient, { key, first: (request) => request() })
        return opened && work(opened)
      })
    },

    async *list(prefix: string): AsyncGenerator<StoredFile, void, void> {
      const { s3, ask } = ways.patient
      let page: string | undefined
      do {
        const found = await ask(() =>
          s3.listObjectsPaged('/', before + prefix, limits.pageObjects, page),
        )
        if (!found) throw new StoreError('refused', `${called} has no bucket '${bucket}'.`)
        for (const { Key, Size, LastModified } of found.objects ?? []) {
          yield { key: Key.slice(before.length), bytes: Size, modifiedAt: LastModified }
        }
        page = found.nextContinuationToken
      } while (page)
    },

    remove,

    presign: (key: string, seconds: number, parameters: Record<string, string>) =>
      ways.quick.s3.getPresignedUrl('GET', before + key, seconds, parameters),

    problem: requests.problem,
  }
}

/** All stores answer it alike; an empty file has none. */
async function requestFirstByte(s3: S3mini, name: string): Promise<Response> {
  try {
    return await s3.getObjectRaw(name, false, 0, 1)
  } catch (error) {
    if (error instanceof S3ServiceError && error.status === 416) return s3.getObjectRaw(name)
    throw error
  }
}

type Wanted = {
  name: string
  range: { start: number; end: number | undefined } | undefined
  etag?: string | null
}

/** @returns undefined for another version */
async function requestRange(s3: S3mini, { name, range, etag }: Wanted) {
  const { start, end } = range ?? { start: 0, end: undefined }
  const condition = etag ? { 'if-match': etag } : {}
  try {
    const after = end === undefined ? undefined : end + 1
    const answer = await s3.getObjectRaw(name, !range, start, after, condition)
    const isSameVersion = !etag || answer.headers.get('etag') === etag
    const isPart = answer.status === 206 && sentOf(answer).start === start
    if (isSameVersion && (!range || isPart)) return answer
    await answer.body?.cancel()
    if (!isSameVersion) return undefined
  } catch (error) {
    if (error instanceof S3ServiceError && error.status === 412) return undefined
    throw error
  }
  throw new StoreError('refused', 'The storage does not send parts of files.')
}

function sentOf({ headers, body }: Response): Sent {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers.get('content-range') ?? '') ?? []
  if (first !== undefined) return { body, start: Number(first), end: Number(last) }
  const length = headers.get('content-length')
  return { body, start: 0, end: length === null ? undefined : Number(length) - 1 }
}

function stateOf({ headers }: Response): FileState {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  const bytes = Number(total ?? headers.get('content-length') ?? Number.NaN)
  if (!Number.isInteger(bytes)) throw new TypeError('it does not say how large a file is')
  return { bytes, modifiedAt: new Date(headers.get('last-modified') ?? 0) }
}
