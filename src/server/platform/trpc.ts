import { initTRPC, TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { ZodError, type z } from 'zod'
import { requireConfirmed } from './confirmation.ts'
import type { Context } from './context.ts'
import {
  isBusy,
  isDiskFull,
  isFailedWrite,
  isForeignKeyViolation,
  isMovedAway,
  isUnstorableText,
} from './db/errors.ts'
import { runAsKindOfCall } from './db/kind-of-call.ts'
import { describeMoveState } from './db/move/move-state.ts'
import { AppError, createBusyError, type ErrorKind } from './errors.ts'
import { StoreError } from './files/media-store.ts'
import { describeStoreError } from './files/store-failure.ts'
import { describeInvalidInput } from './request/invalid-input.ts'
import { siteIsOpen } from './site/site.queries.ts'

type TrpcCode = TRPCError['code']

const TRANSPORT: Record<ErrorKind, { code: TrpcCode; status: number }> = {
  invalid: { code: 'BAD_REQUEST', status: 400 },
  misdirected: { code: 'BAD_REQUEST', status: 421 },
  unauthenticated: { code: 'UNAUTHORIZED', status: 401 },
  'second-factor': { code: 'UNAUTHORIZED', status: 401 },
  forbidden: { code: 'FORBIDDEN', status: 403 },
  unconfirmed: { code: 'FORBIDDEN', status: 403 },
  'not-found': { code: 'NOT_FOUND', status: 404 },
  conflict: { code: 'CONFLICT', status: 409 },
  gone: { code: 'PRECONDITION_FAILED', status: 410 },
  'too-large': { code: 'PAYLOAD_TOO_LARGE', status: 413 },
  unsupported: { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 },
  unprocessable: { code: 'UNPROCESSABLE_CONTENT', status: 422 },
  'too-many': { code: 'TOO_MANY_REQUESTS', status: 429 },
  busy: { code: 'SERVICE_UNAVAILABLE', status: 503 },
  'no-space': { code: 'INTERNAL_SERVER_ERROR', status: 507 },
}

/** For refusals before a procedure; else BAD_REQUEST. */
const CODES: Record<number, TrpcCode> = {
  ...Object.fromEntries(Object.values(TRANSPORT).map(({ code, status }) => [status, code])),
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  500: 'INTERNAL_SERVER_ERROR',
}

/** Instead of tRPC's, which name internals. */
const LIBRARY_SENTENCES: Record<number, string> = {
  404: 'There is no such call.',
  405: 'This call does not take that method.',
  415: 'Send this as application/json.',
}

const INTERNAL_ERROR_TEXT = 'Something went wrong on the server. Please try again.'

/** `reason` is for the log. */
export type Failure = {
  status: number
  message: string
  retryAfterSeconds?: number
  reason?: string
}

/** Unexpected ones become a 500. */
export function describeFailure(error: unknown): Failure {
  const known = findAppError(error)
  if (known) {
    const { message, kind, retryAfterSeconds, reason } = known
    return {
      status: TRANSPORT[kind].status,
      message,
      ...(retryAfterSeconds && { retryAfterSeconds }),
      ...(reason && { reason }),
    }
  }
  if (error instanceof TRPCError) {
    if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') {
      return { status: 400, message: describeInvalidInput(error.cause) }
    }
    const status = getHTTPStatusCodeFromError(error)
    const message = LIBRARY_SENTENCES[status] ?? 'The request is not well-formed.'
    if (status < 500) return { status, message }
  }
  return { status: 500, message: INTERNAL_ERROR_TEXT }
}

export function describeForTrpc({ status, message }: Failure) {
  const code = CODES[status] ?? 'BAD_REQUEST'
  return {
    error: { message, code: TRPC_ERROR_CODES_BY_KEY[code], data: { code, httpStatus: status } },
  }
}

function findAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof StoreError) return describeStoreError(error)
  if (isMovedAway(error)) return describeMoveState('moved')
  if (isBusy(error)) return createBusyError()
  if (isDiskFull(error)) {
    return new AppError('no-space', 'The server has no room left on its disk.')
  }
  if (isFailedWrite(error)) {
    return new AppError(
      'no-space',
      'The server could not write to its disk. Please try again later.',
    )
  }
  if (isForeignKeyViolation(error)) {
    return new AppError('not-found', 'What this is about was deleted meanwhile.')
  }
  if (isUnstorableText(error)) {
    return new AppError('invalid', 'There is a character in this text that cannot be stored.')
  }
  return error instanceof TRPCError && error.cause ? findAppError(error.cause) : undefined
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  // Detects dead clients. A suspended page misses pings and reconnects.
  sse: {
    ping: { enabled: true, intervalMs: 30_000 },
    client: { reconnectAfterInactivityMs: 75_000 },
  },
  errorFormatter: ({ shape, error }) => {
    const failure = describeFailure(error)
    const known = findAppError(error)
    return {
      ...shape,
      message: failure.message,
      data: {
        code: shape.data.code,
        httpStatus: failure.status,
        // The client asks for it and retries.
        ...(known?.kind === 'unconfirmed' && { needsPassword: true as const }),
        ...(known?.conflicts && { conflicts: known.conflicts }),
        ...(known?.secondFactor && { secondFactor: known.secondFactor }),
        ...(known?.unlistedHost && { unlistedHost: known.unlistedHost }),
      },
    }
  },
})

export const router = t.router
export const mergeRouters = t.mergeRouters
export const createCallerFactory = t.createCallerFactory

/**
 * tRPC uses `parseAsync`, but zod compiles `parse` only, which takes a fifth of the time: 30 µs for
 * 24 videos.
 */
export function syncOutput<Schema extends z.ZodType>(schema: Schema) {
  return Object.assign((output: unknown): z.output<Schema> => schema.parse(output), { schema })
}

type Result = { ok: true } | { ok: false; error: TRPCError }

/**
 * Runs each procedure as its own kind of call, because procedures of one router use different
 * tables. Checks belong in `work`, since each further `use` copies the options of the call several
 * times.
 */
async function translateErrors<Found extends Result>(
  path: string,
  work: () => Promise<Found>,
): Promise<Found> {
  let error: unknown
  try {
    const result = await runAsKindOfCall(path, work)
    if (result.ok) return result
    error = result.error
    if (!findAppError(error)) return result
  } catch (thrown) {
    error = thrown
  }
  const known = findAppError(error)
  if (!known) throw error
  const { code } = TRANSPORT[known.kind]
  throw new TRPCError({ code, message: known.message, cause: known })
}

/** Also on a members-only site. */
export const openProcedure = t.procedure.use(({ path, next }) =>
  translateErrors(path, () => next()),
)

/** Signed in on a members-only site. */
export const publicProcedure = t.procedure.use(({ path, ctx, next }) =>
  translateErrors(path, async () => {
    if (!ctx.viewer && !(await siteIsOpen(ctx.db))) {
      throw new AppError('unauthenticated', 'Please sign in first.')
    }
    return next()
  }),
)

/** Checked before the input. */
export const memberProcedure = t.procedure.use(({ path, ctx, next }) =>
  translateErrors(path, async () => {
    const { viewer } = ctx
    if (!viewer) throw new AppError('unauthenticated', 'Please sign in first.')
    return next({ ctx: { viewer } })
  }),
)

/** No API tokens. */
export const sessionProcedure = memberProcedure.use(({ ctx, next }) => {
  const { session } = ctx
  if (!session) throw new AppError('unauthenticated', 'Please sign in first.')
  return next({ ctx: { session } })
})

/** Password confirmed recently. */
export const confirmedProcedure = sessionProcedure.use(({ ctx, next }) => {
  requireConfirmed(ctx.session)
  return next()
})

export const adminProcedure = sessionProcedure.use(({ ctx, next }) => {
  if (!ctx.viewer.isAdmin) throw new AppError('forbidden', 'Only an admin can do this.')
  return next()
})

export const confirmedAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  requireConfirmed(ctx.session)
  return next()
})
