/**
 * Fetches a file from an address, for members and for imports. See docs/decisions/0091-files-from-an-address.md.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { type Outgoing, OutgoingError } from '#server/platform/outgoing/outgoing.ts'
import { formatBytes } from '#shared/text/format.ts'
import { FileChangedError } from '../upload/local-file.ts'

const IDLE_MS = 30_000
const TOTAL_MS = 6 * 60 * 60 * 1000
/** Attempts in turn that bring nothing. */
const FAILURES_MAX = 5
const PAUSE_MS = 1000
const PAGE = /^(?:text\/html|application\/xhtml\+xml)\b/i
const NO_VIDEO = /^(?:image\/|application\/(?:json|xml|pdf)\b)/i

export type WantedFile = {
  url: string
  headers?: Record<string, string>
  maxBytes: number
  /** Follows redirects to other hosts, see `OutgoingRequest`. */
  followsHosts?: boolean
  /** Refuses hosts on the local network, also those that an admin listed. */
  isPublicOnly?: boolean
  signal?: AbortSignal
}

/** Receives the bytes of a fetched file. */
export type FetchTarget = {
  /** The number of bytes that it has. */
  at: number
  /** Makes sure that the rest is of the same file. Without it, the file is fetched from its beginning. */
  validator: string | undefined
  /**
   * Is called at the beginning of each answer.
   * @param answer.start is `at`, or 0 to begin again
   */
  begin: (answer: {
    start: number
    size: number | undefined
    validator: string | undefined
  }) => Promise<void>
  write: (piece: Buffer, at: number) => Promise<void>
}

export type FetchDeps = { outgoing: Outgoing; disk: Pick<Disk, 'freeBytes'> }

/**
 * Asks for the first byte of a file, so that most errors show before the download.
 * @returns the size if the server says it
 * @throws AppError with a sentence
 */
export async function probeFile(
  deps: Pick<FetchDeps, 'outgoing'>,
  wanted: WantedFile,
  { timeoutMs = IDLE_MS } = {},
): Promise<number | undefined> {
  let stated: number | undefined
  await ask(deps, wanted, {
    headers: { range: 'bytes=0-0' },
    ...{ isCut: true, timeoutMs },
    async receive(_, { size }) {
      stated = size
    },
  })
  return stated
}

/**
 * Fetches a file, and continues it with a range request after an interruption.
 * @returns the number of its bytes
 * @throws AppError with a sentence, see `isInterruption`; FileChangedError
 */
export async function fetchFile(
  deps: FetchDeps,
  wanted: WantedFile,
  target: FetchTarget,
): Promise<number> {
  const endsAt = Date.now() + TOTAL_MS
  for (let failures = 0; ; ) {
    const before = target.at
    try {
      await fetchRest(deps, wanted, { target, endsAt })
      if (target.at === 0) throw new AppError('invalid', 'The file is empty.')
      return target.at
    } catch (error) {
      failures = target.at > before ? 0 : failures + 1
      const canContinue = target.at > 0 && target.validator !== undefined
      const isOver = wanted.signal?.aborted || failures === FAILURES_MAX
      if (!isInterruption(error) || !canContinue || isOver) throw error
      await setTimeout(PAUSE_MS * failures)
    }
  }
}

/** Returns whether the connection failed, so that a later attempt may succeed. */
export function isInterruption(error: unknown): boolean {
  const { cause } = error as Error
  return cause instanceof OutgoingError && cause.isPassing
}

async function fetchRest(
  deps: FetchDeps,
  wanted: WantedFile,
  { target, endsAt }: { target: FetchTarget; endsAt: number },
): Promise<void> {
  const { at, validator } = target
  const continues = at > 0 && validator !== undefined
  const headers: Record<string, string> = continues
    ? { range: `bytes=${at}-`, 'if-range': validator }
    : {}
  let isFirst = true
  let allBytes = 0
  await ask(deps, wanted, {
    ...{ headers, timeoutMs: Math.max(0, endsAt - Date.now()) },
    async receive(piece, { start, size, headers: answered }) {
      if (isFirst) {
        isFirst = false
        allBytes = size ?? 0
        const now = validatorOf(answered)
        const isOther = start > 0 && now !== undefined && now !== validator
        if (isOther || (start > 0 && start !== at)) throw new FileChangedError()
        await target.begin({ start, size, validator: now ?? validator })
        Object.assign(target, { at: start, validator: now ?? validator })
        if (allBytes - start > (await deps.disk.freeBytes())) throw noSpace()
      }
      if (target.at + piece.length > wanted.maxBytes) throw tooLarge(wanted)
      await target.write(piece, target.at)
      target.at += piece.length
    },
  })
  if (target.at < allBytes) {
    throw explained(new OutgoingError('The file came only in part.', { isPassing: true }))
  }
}

type Answered = { headers: IncomingHttpHeaders; start: number; size: number | undefined }

/** @throws AppError; its `cause` is an OutgoingError if there was no answer to read */
async function ask(
  { outgoing }: Pick<FetchDeps, 'outgoing'>,
  wanted: WantedFile,
  input: {
    headers: Record<string, string>
    timeoutMs: number
    isCut?: boolean
    receive: (piece: Buffer, answer: Answered) => Promise<void>
  },
): Promise<void> {
  const { url, headers = {}, followsHosts = false, isPublicOnly = false, signal } = wanted
  const asksForRest = input.headers['if-range'] !== undefined
  try {
    const answer = await outgoing({
      ...{ url, followsHosts, isPublicOnly, idleMs: IDLE_MS, timeoutMs: input.timeoutMs },
      ...(signal && { signal }),
      headers: {
        accept: 'video/*, application/octet-stream, */*;q=0.5',
        ...headers,
        ...input.headers,
      },
      maxBytes: input.isCut ? 1 : Number.MAX_SAFE_INTEGER,
      cutsAnswer: input.isCut ?? false,
      receive: async (piece, answered) => input.receive(piece, readAnswer(answered, wanted)),
    })
    // Nothing is left where the file ends, so it has become shorter.
    if (answer.status === 416 && asksForRest) throw new FileChangedError()
    readAnswer(answer, wanted)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw explained(error)
  }
}

function explained(cause: OutgoingError): AppError {
  const { unlistedHost } = cause
  const shown = new AppError('unprocessable', cause.message, unlistedHost ? { unlistedHost } : {})
  shown.cause = cause
  return shown
}

/** @throws AppError for another answer than a file within the limit */
function readAnswer(
  { status, headers }: { status: number; headers: IncomingHttpHeaders },
  wanted: WantedFile,
): Answered {
  const refuse = (sentence: string) => new AppError('unprocessable', sentence)
  if (status === 404 || status === 410) throw refuse('There is no file at this address.')
  if (status === 401 || status === 403)
    throw refuse('The file cannot be fetched without signing in.')
  if (status === 416) throw refuse('The file is empty.')
  if (status === 429 || status >= 500) {
    throw explained(new OutgoingError(busySentence(status), { isPassing: true }))
  }
  if (status !== 200 && status !== 206) throw refuse(`The server answers with status ${status}.`)
  const type = headers['content-type'] ?? ''
  if (PAGE.test(type)) throw refuse('This is the address of a page, not of a video file.')
  if (NO_VIDEO.test(type)) {
    throw refuse(`This is no video file, but ${type.split(';')[0]?.trim()}.`)
  }
  const range = /^bytes (?<start>\d+)-\d+\/(?<size>\d+)?/.exec(headers['content-range'] ?? '')
  if (status === 206 && !range) throw refuse('The server does not say which part it sends.')
  const start = status === 206 ? Number(range?.groups?.start) : 0
  const stated = status === 206 ? range?.groups?.size : headers['content-length']
  const size = stated === undefined ? undefined : Number(stated)
  if (size !== undefined && size > wanted.maxBytes) throw tooLarge(wanted)
  return { headers, start, size }
}

const busySentence = (status: number) => `The server answers with status ${status}.`

/** Returns the validator for a range request. A weak entity tag does not identify a file. */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, 'last-modified': changedAt } = headers
  if (headers['accept-ranges'] === 'none') return undefined
  return etag !== undefined && !etag.startsWith('W/') ? etag : changedAt
}

const tooLarge = ({ maxBytes }: WantedFile) =>
  new AppError('too-large', `The file is larger than ${formatBytes(maxBytes)}.`)

export const noSpace = () => new AppError('no-space', 'There is no room left for the download.')
