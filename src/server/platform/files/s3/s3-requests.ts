import { setTimeout as pause } from 'node:timers/promises'
import { S3Error, S3ServiceError } from 's3mini'
import type { S3Place } from '../../s3-place.ts'
import { StoreError } from '../media-store.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'

export type S3Limits = {
  quietMs: number
  /** Until an answer begins, where a user waits. */
  answerMs: number
  pausesMs: readonly number[]
  /** Failures in a row, then rest. */
  failures: number
  restMs: number
  /** 1000 at most. */
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

/** At most 25 s, with `answerMs` each. */
const QUICK_TRIES = 3

const PASSING_CODES = [
  'RequestTimeout',
  'SlowDown',
  'OperationAborted',
  'RequestTimeTooSlow',
  'IncompleteBody',
]
/** Stores word it differently. */
const FULL = /quota|insufficient|storage.?full|no space/i

type Broken = Error & { code?: string; cause?: { code?: string; message?: string } }
type Failure = { reason: StoreError['reason'] | 'missing'; detail: string; sentence?: string }

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
     * For background work.
     * @param work repeated after temporary failures
     * @returns undefined if missing
     * @throws StoreError
     */
    ask: createAsking(limits.pausesMs),
    askQuickly: createAsking(limits.pausesMs.slice(0, QUICK_TRIES - 1)),

    changed(key: string): StoreError {
      const sentence = `${name} has other bytes of ${key} than were sent, after several tries.`
      breaker.refused(sentence)
      return new StoreError('changed', sentence)
    },

    brokenRead(error: unknown): Error {
      const sentence = explain(readFailure(error))
      breaker.failed(sentence)
      return new StoreError('away', sentence, { cause: error })
    },
  }
}

/** @throws other errors, such as of the local disk */
function readFailure(error: unknown): Failure {
  if (error instanceof S3ServiceError) return readAnswer(error)
  if (error instanceof StoreError) {
    const { reason, message } = error
    return { reason, detail: message, sentence: message }
  }
  const { name, message, code, cause } = error as Broken
  // Broken connections, limits and invalid answers.
  const isConnectionError =
    error instanceof TypeError || error instanceof S3Error || name === 'QuietError'
  if (!isConnectionError && !message?.startsWith('[s3mini]')) throw error
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
