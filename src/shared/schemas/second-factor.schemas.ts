import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../field.schemas.ts'
import { PASSKEY_NAME_MAX } from '../limits.ts'

/** Ways to complete a sign-in after its first step. */
export const secondFactorWaysSchema = z.object({
  code: z.boolean(),
  recoveryCode: z.boolean(),
  passkey: z.boolean(),
  /** The site requires a second factor, and the member has to set it up now. */
  enrol: z.boolean(),
})
export type SecondFactorWays = z.infer<typeof secondFactorWaysSchema>

/** A code of an authenticator app, or a recovery code. May contain spaces and hyphens. */
export const codeSchema = z.string().max(100)

const BYTES_MAX = 10_000
const encodedSchema = z
  .string()
  .max(BYTES_MAX)
  .regex(/^[\w-]*$/, 'must be base64url')

const credentialFields = {
  id: encodedSchema,
  rawId: encodedSchema,
  type: z.literal('public-key'),
}

/** The result of `navigator.credentials.get`. */
export const assertionSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: encodedSchema,
    authenticatorData: encodedSchema,
    signature: encodedSchema,
    userHandle: encodedSchema.nullish(),
  }),
})
export type Assertion = z.infer<typeof assertionSchema>

/** The result of `navigator.credentials.create`. */
export const attestationSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: encodedSchema,
    attestationObject: encodedSchema,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})
export type Attestation = z.infer<typeof attestationSchema>

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
export const transportsSchema = z.array(z.enum(TRANSPORTS))
export type Transports = z.infer<typeof transportsSchema>
export const isTransport = (name: string): name is Transports[number] =>
  (TRANSPORTS as readonly string[]).includes(name)

const descriptorSchema = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: transportsSchema.optional(),
})

export const requestOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']),
  allowCredentials: z.array(descriptorSchema),
})
export type RequestOptions = z.infer<typeof requestOptionsSchema>

export const creationOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  excludeCredentials: z.array(descriptorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof creationOptionsSchema>

/** A code or the answer of a passkey. */
export const secondFactorAnswerSchema = z.object({
  code: codeSchema.optional(),
  passkey: assertionSchema.optional(),
})
export type SecondFactorAnswer = z.infer<typeof secondFactorAnswerSchema>

export const timeCodeSetupSchema = z.object({
  /** Base32, in groups of four. */
  secret: z.string(),
  /** Address that the QR code contains. */
  uri: z.string(),
})
export type TimeCodeSetup = z.infer<typeof timeCodeSetupSchema>

/** Shown once. Null if the member keeps earlier codes. */
export const newRecoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()).nullable() })

const nameSchema = lineSchema.refine(
  (name) => name.length >= 1 && name.length <= PASSKEY_NAME_MAX,
  `must have 1 to ${PASSKEY_NAME_MAX} characters`,
)
export const addPasskeySchema = z.object({ name: nameSchema, passkey: attestationSchema })
export const renamePasskeySchema = z.object({ id: idSchema, name: nameSchema })
export const passkeyIdSchema = z.object({ id: idSchema })

export const passkeySchema = z.object({
  id: z.int(),
  name: z.string(),
  isBackedUp: z.boolean(),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>

export const factorsSchema = z.object({
  hasPassword: z.boolean(),
  /** When the authenticator app was set up. */
  timeCodesSince: timestampSchema.nullable(),
  recoveryCodesLeft: z.int(),
  passkeys: z.array(passkeySchema),
  passkeyAfterPassword: z.boolean(),
  /** Null where passkeys cannot work, such as without https. */
  passkeyHost: z.string().nullable(),
  /** Null if the site does not require a second factor of this member. */
  required: z.object({ from: z.string().nullable(), isDue: z.boolean() }).nullable(),
})
export type Factors = z.infer<typeof factorsSchema>

/** The ways to confirm the member's identity: a passkey or a provider alone, or all the others that are true. */
export const confirmWaysSchema = z.object({
  password: z.boolean(),
  code: z.boolean(),
  recoveryCode: z.boolean(),
  passkey: z.boolean(),
  /** False for members with a second factor, for which a provider does not stand in. */
  provider: z.boolean(),
})
