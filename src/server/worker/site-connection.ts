import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../platform/errors.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** Another node has the job, or will: a retry may reach it. */
const FIRST_BUSY_PAUSE_MS = 50
const BUSY_UNSAID = 8
/** A long poll takes 25 s, and results are verified before the answer. */
const REQUEST_MS = 15 * 60 * 1000

export class JobLostError extends Error {}

/** A retry cannot help. */
export class RefusedCallError extends Error {}

/** The site says when to retry. */
class BusyError extends Error {
  readonly retryMs: number

  constructor(status: number, retryMs: number) {
    super(`The site answered ${status}.`)
    this.retryMs = retryMs
  }
}

export type SiteConnection = ReturnType<typeof connectToSite>

type Asking = {
  method?: 'GET' | 'POST'
  /** A function gives current values for each attempt. */
  json?: object | (() => object)
  bytes?: Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  signal?: AbortSignal
  isLast?: boolean
  /** True before any answer has confirmed that the site exists. */
  isFirst?: boolean
}

/** Retries while connection or site is down. */
export function connectToSite(input: {
  origin: string
  token: string
  onTrouble: (text: string) => void
}) {
  const { origin, token, onTrouble } = input

  /**
   * @throws JobLostError when the job or its result was taken away
   * @throws RefusedCallError
   * @throws CommandError for an unknown token, another release, or, at the first call, no such site
   * (later a proxy may answer for an absent one)
   */
  async function ask(path: string, asking: Asking = {}): Promise<Response> {
    const { isLast, signal } = asking
    let waitMs = FIRST_PAUSE_MS
    for (let busy = 0; ; ) {
      const trouble = await askOnce(path, asking).catch((error: unknown) => {
        if (signal?.aborted || isLast || isFinal(error)) throw error
        return error
      })
      if (trouble instanceof Response) return trouble
      const isBusy = trouble instanceof BusyError
      busy = isBusy ? busy + 1 : 0
      const pauseMs = isBusy
        ? Math.min(FIRST_BUSY_PAUSE_MS * 2 ** (busy - 1), trouble.retryMs)
        : waitMs
      if (!isBusy) waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)
      if (!isBusy || busy === BUSY_UNSAID) {
        onTrouble(`${describeTrouble(trouble)} Trying again in ${Math.ceil(pauseMs / 1000)} s.`)
      }
      // Spreads the retries of many workers.
      await pause(pauseMs * (0.75 + Math.random() / 2), undefined, signal && { signal })
    }
  }

  async function askOnce(path: string, asking: Asking): Promise<Response> {
    const { method = 'POST', json, bytes, headers, signal, isFirst = false } = asking
    const said = typeof json === 'function' ? json() : json
    const body = bytes ?? (said && JSON.stringify(said))
    const type = bytes ? 'application/octet-stream' : 'application/json'
    const timeout = AbortSignal.timeout(REQUEST_MS)
    const response = await fetch(`${origin}/api/worker/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: 'error',
    })
    if (response.ok) return response
    throw await explain(response, { isOfJob: path.startsWith('jobs/'), isFirst })
  }

  return { ask }
}

async function explain(
  response: Response,
  { isOfJob, isFirst }: { isOfJob: boolean; isFirst: boolean },
): Promise<Error> {
  const { status } = response
  const text = (await response.text().catch(() => '')).slice(0, 300)
  if (status === 401) return new CommandError(text)
  if (isOfJob) {
    if (status === 409 || status === 422 || status === 507) return new JobLostError(text)
    if (status === 400) return new RefusedCallError(`The site refused a call: ${text}`)
  } else if (status === 400 || status === 409) {
    return new CommandError(text)
  }
  if (isFirst && (status === 404 || status === 403)) {
    return new CommandError(`This is no site that takes workers: it answered ${status}.`)
  }
  const seconds = Number(response.headers.get('retry-after'))
  if (status === 503 && seconds > 0) return new BusyError(status, seconds * 1000)
  return new Error(`The site answered ${status}.`)
}

function isFinal(error: unknown): boolean {
  return [JobLostError, RefusedCallError, CommandError].some((kind) => error instanceof kind)
}

function describeTrouble(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return reason.startsWith('The site') ? reason : `The site cannot be reached (${reason}).`
}
