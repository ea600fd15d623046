import { z } from 'zod'
import { categorySchema, lineSchema, textSchema, timestampSchema } from '../../field.schemas.ts'
import { CHAT_WEBHOOK_PATH, TEMPLATE_MAX, WEBHOOK_KINDS, WEBHOOK_NAME_MAX } from '../../webhooks.ts'

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

const templateSchema = textSchema
  .refine(({ length }) => length <= TEMPLATE_MAX, {
    error: `The text must be at most ${TEMPLATE_MAX} characters`,
  })
  .refine((text) => text.includes('{link}'), {
    error: 'The text must contain the link, which the chat plays',
  })

export const isChatAddress = (address: string) =>
  CHAT_WEBHOOK_PATH.test(URL.parse(address)?.pathname ?? '')
export const CHAT_ADDRESS_ERROR = 'Enter the address of a webhook as Discord copies it'

const standardFields = { kinds: kindsSchema }
const discordFields = {
  /** Posts videos of this category only. */
  category: categorySchema.nullable(),
  /** Posts public videos by members of this squad only. */
  squadId: z.int().nullable(),
  /** Username: posts public videos of this channel only. */
  channel: lineSchema.nullish(),
  template: templateSchema,
  /** Attaches the file for chats if it has at most 10 MiB. */
  sendsFile: z.boolean(),
  editsPosts: z.boolean(),
  deletesPosts: z.boolean(),
}

export const createWebhookSchema = z.discriminatedUnion('format', [
  z.object({
    ...{ format: z.literal('standard'), name: nameSchema, url: addressSchema },
    ...standardFields,
  }),
  z.object({
    ...{ format: z.literal('discord'), name: nameSchema },
    url: addressSchema.refine(isChatAddress, { error: CHAT_ADDRESS_ERROR }),
    ...discordFields,
  }),
])
export type CreateWebhook = z.infer<typeof createWebhookSchema>

/** Omitted fields keep their value. Those of the other format are ignored. */
export const editWebhookSchema = z
  .object({
    ...{ name: nameSchema, url: addressSchema, isActive: z.boolean() },
    ...standardFields,
    ...discordFields,
  })
  .partial()
  .extend({ id: z.int() })
export type EditWebhook = z.infer<typeof editWebhookSchema>

export const webhookIdSchema = z.object({ id: z.int() })

export const webhookSchema = z.object({
  id: z.int(),
  format: z.enum(['standard', 'discord']),
  name: z.string(),
  /** The address without Discord's token. */
  address: z.string(),
  isActive: z.boolean(),
  /** The time at which sending stopped because of failures. */
  pausedAt: timestampSchema.nullable(),
  lastError: z.string().nullable(),
  createdAt: timestampSchema,
  kinds: z.array(z.enum(WEBHOOK_KINDS)),
  category: z.string().nullable(),
  squad: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Username. */
  channel: z.string().nullable(),
  template: z.string(),
  sendsFile: z.boolean(),
  editsPosts: z.boolean(),
  deletesPosts: z.boolean(),
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
/** Null with `discord`. */
export const createdWebhookSchema = webhookIdSchema.extend({ secret: z.string().nullable() })

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

export const chatPostSchema = z.object({
  id: z.int(),
  videoId: z.int(),
  /** Null for a deleted video. */
  title: z.string().nullable(),
  /** `unknown`: it may or may not be in the chat. */
  state: z.enum(['waiting', 'sending', 'posted', 'unknown', 'refused', 'deleted']),
  createdAt: timestampSchema,
  nextAt: timestampSchema.nullable(),
  lastError: z.string().nullable(),
})
export type ChatPost = z.infer<typeof chatPostSchema>
