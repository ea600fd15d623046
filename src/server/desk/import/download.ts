import type { FileHandle } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { type Outgoing, OutgoingError } from '#server/platform/outgoing/outgoing.ts'
import { FileChangedError } from '#server/video/upload/local-file.ts'
import { formatBytes } from '#shared/text/format.ts'
import type { ForeignFile, OnFetched } from './foreign-library.ts'
import { openTemporaryFile } from './temporary-file.ts'

const IDLE_MS = 30_000
const TOTAL_MS = 6 * 60 * 60 * 1000
/** Attempts in turn that bring nothing. */
const FAILURES_MAX = 5
const PAUSE_MS = 1000
const PAGE = /^(?:text\/html|application\/xhtml\+xml)\b/i
const NO_VIDEO = /^(?:image\/|application\/(?:json|xml|pdf)\b)/i

export type Download = {
  url: string
  headers?: Record<string, string>
  maxBytes: number
  /** Follows redirects to other hosts, see `OutgoingRequest`. */
  followsHosts?: boolean
  onFetched?: OnFetched | undefined
}

export type DownloadDeps = { outgoing: Outgoing; disk: Disk }

/**
 * Asks for the first byte of a file, so that its size is known and most errors show before the download.
 * @throws AppError with a sentence for the report
 */
export async function findDownload(deps: DownloadDeps, wanted: Download): Promise<ForeignFile> {
  let bytes = 0
  await ask(deps, wanted, {
    headers: { range: 'bytes=0-0' },
    ...{ isCut: true, timeoutMs: IDLE_MS },
    async receive(_, { size }) {
      bytes = size ?? 0
    },
  })
  return {
    ...{ bytes, changedAt: new Date(), isMade: true },
    open: (onFetched) => download(deps, { ...wanted, onFetched }),
  }
}

type Progress = { at: number; validator: string | undefined; endsAt: number }

/**
 * Fetches a file, and continues it with a range request after an interruption.
 * @returns a file that goes when it is closed
 * @throws AppError with a sentence for the report
 */
export async function download(deps: DownloadDeps, wanted: Download): Promise<FileHandle> {
  const file = await openTemporaryFile(deps.disk)
  const progress: Progress = { at: 0, validator: undefined, endsAt: Date.now() + TOTAL_MS }
  try {
    for (let failures = 0, isDone = false; !isDone; ) {
      const before = progress.at
      try {
        await fetchRest(deps, wanted, { file, progress })
        isDone = true
      } catch (error) {
        failures = progress.at > before ? 0 : failures + 1
        const isInterruption = (error as Error).cause instanceof OutgoingError
        const canContinue = progress.at > 0 && progress.validator !== undefined
        if (!isInterruption || !canContinue || failures === FAILURES_MAX) throw error
        await setTimeout(PAUSE_MS * failures)
      }
    }
    if (progress.at === 0) throw new AppError('invalid', 'The file is empty.')
    return file
  } catch (error) {
    await file.close()
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noSpace()
    throw error
  }
}

async function fetchRest(
  deps: DownloadDeps,
  wanted: Download,
  { file, progress }: { file: FileHandle; progress: Progress },
): Promise<void> {
  const { at, validator } = progress
  const continues = at > 0 && validator !== undefined
  const headers: Record<string, string> = continues
    ? { range: `bytes=${at}-`, 'if-range': validator }
    : {}
  let isFirst = true
  let allBytes = 0
  await ask(deps, wanted, {
    ...{ headers, timeoutMs: Math.max(0, progress.endsAt - Date.now()) },
    async receive(piece, { start, size, headers: answered }) {
      if (isFirst) {
        isFirst = false
        allBytes = size ?? 0
        const now = validatorOf(answered)
        const isOther = start > 0 && now !== undefined && now !== validator
        if (isOther || (start > 0 && start !== at)) throw new FileChangedError()
        if (start === 0) await file.truncate(0)
        Object.assign(progress, { at: start, validator: now ?? validator })
        if (allBytes - start > (await deps.disk.freeBytes())) throw noSpace()
      }
      if (progress.at + piece.length > wanted.maxBytes) throw tooLarge(wanted)
      await file.write(piece, 0, piece.length, progress.at)
      progress.at += piece.length
      wanted.onFetched?.(progress.at)
    },
  })
  if (progress.at < allBytes) throw interrupted(new OutgoingError('The file came only in part.'))
}

type Answered = { headers: IncomingHttpHeaders; start: number; size: number | undefined }

/** @throws AppError; its `cause` is an OutgoingError if the connection failed */
async function ask(
  { outgoing }: DownloadDeps,
  wanted: Download,
  input: {
    headers: Record<string, string>
    timeoutMs: number
    isCut?: boolean
    receive: (piece: Buffer, answer: Answered) => Promise<void>
  },
): Promise<void> {
  const { url, headers = {}, followsHosts = false } = wanted
  try {
    const answer = await outgoing({
      ...{ url, followsHosts, idleMs: IDLE_MS, timeoutMs: input.timeoutMs },
      headers: {
        accept: 'video/*, application/octet-stream, */*;q=0.5',
        ...headers,
        ...input.headers,
      },
      maxBytes: input.isCut ? 1 : Number.MAX_SAFE_INTEGER,
      cutsAnswer: input.isCut ?? false,
      receive: async (piece, answered) => input.receive(piece, readAnswer(answered, wanted)),
    })
    readAnswer(answer, wanted)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw interrupted(error)
  }
}

function interrupted(cause: OutgoingError): AppError {
  const shown = new AppError('unprocessable', cause.message)
  shown.cause = cause
  return shown
}

/** @throws AppError for another answer than a file within the limit */
function readAnswer(
  { status, headers }: { status: number; headers: IncomingHttpHeaders },
  wanted: Download,
): Answered {
  const refuse = (sentence: string) => new AppError('unprocessable', sentence)
  if (status === 404 || status === 410) throw refuse('There is no file at this address.')
  if (status === 401 || status === 403)
    throw refuse('The file cannot be fetched without signing in.')
  if (status === 416) throw refuse('The file is empty.')
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

/** What makes sure that the rest is of the same file. A weak tag does not. */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, 'last-modified': changedAt } = headers
  if (headers['accept-ranges'] === 'none') return undefined
  return etag !== undefined && !etag.startsWith('W/') ? etag : changedAt
}

const tooLarge = ({ maxBytes }: Download) =>
  new AppError('too-large', `The file is larger than ${formatBytes(maxBytes)}.`)
const noSpace = () => new AppError('no-space', 'There is no room left for the download.')
