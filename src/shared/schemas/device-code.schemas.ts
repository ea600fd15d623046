import { z } from 'zod'
import { timestampSchema } from '../field.schemas.ts'
import { apiTokenSchema, createApiTokenSchema } from './api-token.schemas.ts'

export const requestDeviceCodeSchema = createApiTokenSchema.pick({ name: true })

export const requestedDeviceCodeSchema = z.object({
  /** Secret of the device. */
  deviceCode: z.string(),
  /** The code that the member compares, such as 'BCDF-GHJK'. */
  userCode: z.string(),
  verificationUri: z.string(),
  /** The address that includes the user code. */
  verificationUriComplete: z.string(),
  /** Seconds. */
  expiresIn: z.int(),
  /** Seconds between two requests for the token. */
  interval: z.int(),
})
export type RequestedDeviceCode = z.infer<typeof requestedDeviceCodeSchema>

export const deviceCodeSchema = z.object({ deviceCode: z.string().max(100) })

export const deviceTokenSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({
    state: z.literal('approved'),
    token: z.string(),
    expiresAt: apiTokenSchema.shape.expiresAt,
    username: z.string(),
  }),
])
export type DeviceToken = z.infer<typeof deviceTokenSchema>

/** Accepts upper and lower case, and ignores all characters except letters. */
export const userCodeSchema = z.object({ userCode: z.string().max(50) })

export const approveDeviceSchema = userCodeSchema.extend({
  days: createApiTokenSchema.shape.days,
})
export type ApproveDevice = z.infer<typeof approveDeviceSchema>

export const waitingDeviceSchema = z.object({
  userCode: z.string(),
  name: z.string(),
  /** Range of addresses from which the code was requested. */
  address: z.string().nullable(),
  requestedAt: timestampSchema,
})
export type WaitingDevice = z.infer<typeof waitingDeviceSchema>
