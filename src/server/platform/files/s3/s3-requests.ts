import { setTimeout as pause } from 'node:timers/promises'
import { S3Error, S3ServiceError } from 's3mini'
import type { S3Place } from '../../s3-place.ts'
import { StoreError } from '../media-store.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'

/** How long a request to a store may stand still, when it is tried again, when nobody tries any more for a while, and how much one asks for. */
export type S3Limits = {
  quietMs: number
  /** The same until the answer begins, where a person may be waiting. */
  answerMs: number
  /** Before each further try. */
  pausesMs: readonly number[]
  /** So many failures in a row, and then so long without a try. */
  failures: number
  restMs: number
  /** Objects on a page of a list; 1000 at most. */
  pageObjects: number
}

export const S3_LIMITS: S3Limits = {
  quietMs: 20_000,
  answerMs: 8000,
  pausesMs: [250, 1000, 4000],
  failures: 6,
  restMs: 10_000,
  pageObjects: 1000,
}

/** Where a person may be waiting: with `answerMs` for each, they know after 25 s at most. */
const QUICK_TRIES = 3

/** Codes of answers that mean: not now. */
const PASSING_CODES = [
  'RequestTimeout',
  'SlowDown',
  'OperationAborted',
  'RequestTimeTooSlow',
  'IncompleteBody',
]
/** Stores say in words of their own that they, or what one account may fill, are full. */
const FULL = /quota|insufficient|storage.?full|no space/i

type Broken = Error & { code?: string; cause?: { code?: string; message?: string } }
type Failure = { reason: StoreError['reason'] | 'missing'; detail: string; sentence?: string }

/** Asks a store, several times where that may help, and says in a `StoreError` why it does not do what it is asked to. */
export function createRequests(
  place: S3Place,
  { called, limits }: { called: string; limits: S3Limits },
) {
  const breaker = createCircuitBreaker(limits)
  const name = `${called} at ${new URL(place.endpoint).host}`
  const explain = ({ reason, detail, sentence }: Failure) => {
    if (sentence !== undefined) return sentence
    if (reason === 'full') return `${name} is full (${detail}).`
    if (reason === 'changed') return `${name} received other bytes than were sent (${detail}).`
    if (reason === 'away') return `${name} does not answer (${detail}).`
    return `${name} refuses the bucket '${place.bucket}' or its key (${detail}).`
  }

  /** Makes a function that asks, and asks again after each of some pauses. */
  const createAsking =
    (pausesMs: readonly number[]) =>
    async <Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> => {
      for (let tries = 0; ; tries++) {
        if (!breaker.mayTry()) throw new StoreError('away', breaker.problem() ?? '')
        try {
          const answer = await work()
          breaker.succeeded()
          return answer
        } catch (error) {
          const failure = readFailure(error)
          if (failure.reason === 'missing') {
            breaker.succeeded()
            return undefined
          }
          const sentence = explain(failure)
          if (failure.reason === 'away') breaker.failed(sentence)
          else breaker.refused(sentence)
          const mayPass = failure.reason === 'away' || failure.reason === 'changed'
          const pauseMs = mayPass ? pausesMs[tries] : undefined
          if (pauseMs === undefined) {
            throw new StoreError(failure.reason, sentence, { cause: error })
          }
          await pause(pauseMs)
        }
      }
    }

  return {
    problem: breaker.problem,

    /**
     * For what takes its time.
     * @param work is done again after a failure that may pass
     * @returns undefined when there is no such object
     * @throws StoreError
     */
    ask: createAsking(limits.pausesMs),
    /** The same, for what a person may be waiting for. */
    askQuickly: createAsking(limits.pausesMs.slice(0, QUICK_TRIES - 1)),

    /** What an object is given up with that the store has other bytes of than were sent. */
    changed(key: string): StoreError {
      const sentence = `${name} has other bytes of ${key} than were sent, after several tries.`
      breaker.refused(sentence)
      return new StoreError('changed', sentence)
    },

    /** What a read that began well ends with when its line breaks. */
    brokenRead(error: unknown): Error {
      const sentence = explain(readFailure(error))
      breaker.failed(sentence)
      return new StoreError('away', sentence, { cause: error })
    },
  }
}

/** @throws what is no failure of the store, such as one of this machine's disk */
function readFailure(error: unknown): Failure {
  if (error instanceof S3ServiceError) return readAnswer(error)
  if (error instanceof StoreError) {
    const { reason, message } = error
    return { reason, detail: message, sentence: message }
  }
  const { name, message, code, cause } = error as Broken
  // What `fetch` says of a line that breaks, a limit, and an answer that is none.
  const isOfLine = error instanceof TypeError || error instanceof S3Error || name === 'QuietError'
  if (!isOfLine && !message?.startsWith('[s3mini]')) throw error
  return { reason: 'away', detail: code ?? cause?.code ?? cause?.message ?? message }
}

function readAnswer({ status, body = '' }: S3ServiceError): Failure {
  const code = /<Code>([^<]+)<\/Code>/.exec(body)?.[1] ?? ''
  const detail = `${status} ${code}`.trim()
  if (status === 404 && code !== 'NoSuchBucket') return { reason: 'missing', detail }
  if (status === 507 || (status === 403 && FULL.test(body))) return { reason: 'full', detail }
  if (code === 'BadDigest') return { reason: 'changed', detail }
  const passes = status >= 500 || status === 429 || status === 408 || PASSING_CODES.includes(code)
  return { reason: passes ? 'away' : 'refused', detail }
}
