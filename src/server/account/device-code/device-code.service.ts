/** Gives an API token to a program, after a member has approved it in the browser. See docs/decisions/0083-device-codes.md. */
import { randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { rangeOf } from '#server/platform/request/client-address.ts'
import { digestOf, isSameSecret } from '#server/platform/secret-digest.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type {
  ApproveDevice,
  DeviceToken,
  RequestedDeviceCode,
  WaitingDevice,
} from '#shared/schemas/device-code.schemas.ts'
import { createApiToken, requireRoomForToken } from '../api-token/api-token.service.ts'
import { requireActiveAccount } from '../auth/auth.service.ts'
import {
  deleteStep,
  findStep,
  insertStep,
  updateApprovedStep,
} from '../auth/sign-in-step.queries.ts'

type Deps = Pick<Context, 'db' | 'log' | 'address' | 'limits'>

const KIND = 'device'
const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 3
/** The letters contain no vowels and none that look alike. Eight of them have 34 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8

const dataSchema = z.object({
  /** Digest of the secret that only the device knows. */
  secretHash: z.string(),
  name: z.string(),
  address: z.string().nullable(),
  requestedAt: z.string(),
  /** Days until the token expires, or null if it never does. The member chooses them on approval. */
  days: z.int().nullable(),
})

const GONE = 'This code was used or refused, or it has expired.'

/** @throws `too-many` */
export async function requestDeviceCode(
  { db, limits, address, origin }: Deps & Pick<Context, 'origin'>,
  { name }: { name: string },
): Promise<RequestedDeviceCode> {
  await limits.deviceCodes.count(address)
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)])
  const userCode = shownCode(letters.join(''))
  const secret = randomBytes(32).toString('base64url')
  const now = Date.now()
  const data: z.infer<typeof dataSchema> = {
    secretHash: digestOf(secret),
    name,
    address: rangeOf(address),
    requestedAt: timestamp(new Date(now)),
    days: null,
  }
  await insertStep(db, {
    id: idOf(userCode),
    kind: KIND,
    userId: null,
    data: JSON.stringify(data),
    expiresAt: timestamp(new Date(now + LIFETIME_SECONDS * 1000)),
  })
  const verificationUri = `${origin}/link`
  return {
    deviceCode: `${userCode}.${secret}`,
    userCode,
    verificationUri,
    verificationUriComplete: `${verificationUri}?code=${userCode}`,
    expiresIn: LIFETIME_SECONDS,
    interval: INTERVAL_SECONDS,
  }
}

/**
 * Creates the token when the device fetches it, so that it is never stored.
 * @throws `not-found` for a code that was used, refused or has expired; `forbidden` for a banned member or one who
 * left the server that the account was created for; `conflict` at 20 tokens
 */
export async function claimDeviceToken(
  deps: Deps,
  { deviceCode }: { deviceCode: string },
): Promise<DeviceToken> {
  const { db } = deps
  const [userCode = '', secret = ''] = deviceCode.split('.')
  const step = await findDevice(db, userCode)
  if (!step || !isSameSecret(Buffer.from(digestOf(secret)), Buffer.from(step.data.secretHash)))
    throw gone()
  if (step.userId === null) return { state: 'pending' }
  // Only one of several concurrent requests gets the token.
  if (!(await deleteStep(db, step.id))) throw gone()
  const account = await requireActiveAccount(deps, step.userId)
  if (account.deletesAt !== null) throw gone()
  const { name, days } = step.data
  const viewer = { id: account.id }
  const created = await createApiToken(deps, { name, scope: 'upload', days, viewer })
  const { token, expiresAt } = created
  return { state: 'approved', token, expiresAt, username: account.username }
}

/** @throws `not-found`, `too-many` after many wrong codes */
export async function findWaitingDevice(
  deps: Deps,
  input: { userCode: string; viewer: Viewer },
): Promise<WaitingDevice> {
  const { data } = await requireWaiting(deps, input)
  const { name, address, requestedAt } = data
  return { userCode: shownCode(lettersOf(input.userCode)), name, address, requestedAt }
}

/** @throws the errors of `findWaitingDevice`, and `conflict` at 20 tokens */
export async function approveDevice(
  deps: Deps,
  { userCode, days, viewer }: ApproveDevice & { viewer: Viewer },
): Promise<void> {
  const { db, log, address } = deps
  const step = await requireWaiting(deps, { userCode, viewer })
  await requireRoomForToken(db, viewer.id)
  const approved = { id: step.id, userId: viewer.id, data: JSON.stringify({ ...step.data, days }) }
  if (!(await updateApprovedStep(db, approved))) throw gone()
  log.info({ userId: viewer.id, address }, 'device approved')
}

/** @throws the errors of `findWaitingDevice` */
export async function refuseDevice(
  deps: Deps,
  input: { userCode: string; viewer: Viewer },
): Promise<void> {
  const { id } = await requireWaiting(deps, input)
  await deleteStep(deps.db, id)
  deps.log.info({ userId: input.viewer.id, address: deps.address }, 'device refused')
}

async function requireWaiting(
  { db, limits }: Deps,
  { userCode, viewer }: { userCode: string; viewer: Viewer },
) {
  const end = await limits.deviceGuesses.begin(`${viewer.id}`)
  const step = await findDevice(db, userCode).catch(async (error) => {
    await end({ counts: false })
    throw error
  })
  const isWaiting = step !== undefined && step.userId === null
  await end({ counts: !isWaiting })
  if (!isWaiting) throw gone()
  return step
}

async function findDevice(db: Database, userCode: string) {
  const step = await findStep(db, { id: idOf(userCode), kind: KIND, now: timestamp() })
  return step && { ...step, data: dataSchema.parse(JSON.parse(step.data)) }
}

const gone = () => new AppError('not-found', GONE)
const lettersOf = (userCode: string) => userCode.toUpperCase().replaceAll(/[^A-Z]/g, '')
const idOf = (userCode: string) => digestOf(`device ${lettersOf(userCode)}`)
const shownCode = (letters: string) => `${letters.slice(0, 4)}-${letters.slice(4)}`
