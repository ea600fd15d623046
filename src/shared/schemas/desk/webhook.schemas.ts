import { z } from 'zod'
import { lineSchema, timestampSchema } from '../../field.schemas.ts'
import { WEBHOOK_KINDS, WEBHOOK_NAME_MAX } from '../../webhooks.ts'

const ADDRESS_MAX = 500

const nameSchema = lineSchema.refine(({ length }) => length >= 1 && length <= WEBHOOK_NAME_MAX, {
  error: `The name must be 1 to ${WEBHOOK_NAME_MAX} characters`,
})
const addressSchema = lineSchema.refine(
  (value) => value.length <= ADDRESS_MAX && /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  { error: 'The address must begin with https:// or http://' },
)
const kindsSchema = z
  .array(z.enum(WEBHOOK_KINDS, { error: 'is not one of the events' }))
  .transform((kinds) => [...new Set(kinds)])
  .refine(({ length }) => length > 0, { error: 'Choose at least one event' })

const standardFields = { name: nameSchema, url: addressSchema, kinds: kindsSchema }

export const createWebhookSchema = z.object(standardFields)
export type CreateWebhook = z.infer<typeof createWebhookSchema>

/** Omitted fields keep their value. */
export const editWebhookSchema = z
  .object({ ...standardFields, isActive: z.boolean() })
  .partial()
  .extend({ id: z.int() })
export type EditWebhook = z.infer<typeof editWebhookSchema>

export const webhookIdSchema = z.object({ id: z.int() })

export const webhookSchema = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  isActive: z.boolean(),
  /** Since when nothing is sent because of failures. */
  pausedAt: timestampSchema.nullable(),
  lastError: z.string().nullable(),
  createdAt: timestampSchema,
  kinds: z.array(z.enum(WEBHOOK_KINDS)),
  /** Messages to be sent. */
  waiting: z.int(),
})
export type Webhook = z.infer<typeof webhookSchema>

export const webhooksSchema = z.object({
  items: z.array(webhookSchema),
  /** False without `PUBLIC_URL`: messages contain addresses of the site. */
  isAvailable: z.boolean(),
})

/** The secret is shown this once. */
export const webhookSecretSchema = z.object({ secret: z.string() })
export const createdWebhookSchema = webhookIdSchema.extend({ secret: z.string() })

export const deliverySchema = z.object({
  id: z.int(),
  messageId: z.string(),
  kind: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed', 'dropped']),
  createdAt: timestampSchema,
  attempts: z.int(),
  attemptedAt: timestampSchema.nullable(),
  nextAt: timestampSchema.nullable(),
  /** HTTP status. */
  status: z.int().nullable(),
  ms: z.int().nullable(),
  /** The beginning of the answer. */
  answer: z.string().nullable(),
  lastError: z.string().nullable(),
})
export type Delivery = z.infer<typeof deliverySchema>
