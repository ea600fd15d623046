import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  pageInputSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { INBOX_FOLDER_MAX, INBOX_RULES_MAX, MAX_BULK_VIDEOS, USERNAME_MAX } from '../limits.ts'
import { videoDetailsSchema } from './video.schemas.ts'
import { visibilitySchema } from './visibility.schemas.ts'

export const INBOX_FILTERS = ['open', 'dismissed', 'unusable'] as const
export type InboxFilter = (typeof INBOX_FILTERS)[number]

export const inboxItemSchema = z.object({
  id: z.int(),
  /** Path relative to the folder on the server. */
  path: z.string(),
  state: z.enum(['new', 'queued', 'dismissed', 'unusable']),
  /** A sentence that says why the recording was not or cannot be published. */
  problem: z.string().nullable(),
  /** The file is missing from its folder. */
  isMissing: z.boolean(),
  fileSize: z.int(),
  game: z.string().nullable(),
  recordedAt: timestampSchema,
  /** Seconds, or 0 if unknown. */
  duration: z.int(),
  pictureUrl: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  isAnonymous: z.boolean().nullable(),
  /** Null selects the default of the member. */
  visibility: visibilitySchema.nullable(),
  squadId: z.int().nullable(),
  /** The video, or the earlier item, with the same content. */
  duplicateOf: z.object({ videoId: z.int().nullable(), title: z.string() }).nullable(),
  /** Percentage of a queued file that was read. */
  percent: z.int(),
})
export type InboxItem = z.infer<typeof inboxItemSchema>

export const listInboxSchema = pageInputSchema.extend({
  show: z.enum(INBOX_FILTERS).default('open'),
})

export const inboxStateSchema = z.object({
  /** Whether the site has inbox folders. */
  isOn: z.boolean(),
  /** Number of the member's items that wait for a decision. */
  waiting: z.int(),
  /** Number of the member's files that cannot be used. */
  unusable: z.int(),
})

export type InboxState = z.infer<typeof inboxStateSchema>

const itemIdsSchema = z
  .array(idSchema)
  .min(1)
  .max(MAX_BULK_VIDEOS, `At most ${MAX_BULK_VIDEOS} at a time.`)

export const inboxItemsSchema = z.object({ ids: itemIdsSchema })

/** Each item has its own title, and the other fields apply to all items. An omitted field keeps its proposed value. */
export const publishInboxSchema = z.object({
  items: z
    .array(z.object({ id: idSchema, title: videoDetailsSchema.shape.title.optional() }))
    .min(1)
    .max(MAX_BULK_VIDEOS, `At most ${MAX_BULK_VIDEOS} at a time.`),
  category: videoDetailsSchema.shape.category.optional(),
  description: videoDetailsSchema.shape.description.optional(),
  tags: videoDetailsSchema.shape.tags.optional(),
  isAnonymous: videoDetailsSchema.shape.isAnonymous.optional(),
  visibility: visibilitySchema.nullable().optional(),
  squadId: idSchema.nullable().optional(),
})
export type PublishInbox = z.infer<typeof publishInboxSchema>

const folderNameSchema = lineSchema
  .transform((value) => value.replaceAll('\\', '/').replaceAll(/^\/+|\/+$/g, ''))
  .refine((value) => value.length <= INBOX_FOLDER_MAX, {
    error: `A folder's name has at most ${INBOX_FOLDER_MAX} characters.`,
  })

export const inboxRuleSchema = z.object({
  /** A folder anywhere below the inbox, such as 'Rust' or 'ann/Rust'. An empty name matches every file. */
  folder: folderNameSchema,
  /** Null selects the member named by the first folder, otherwise the first admin. */
  username: lineSchema.refine((name) => name.length <= USERNAME_MAX).nullable(),
  /** Null selects the category of the game. */
  category: z.string().max(100).nullable(),
  /** Null selects the default of the member. */
  visibility: visibilitySchema.nullable(),
  squadId: idSchema.nullable(),
  /** Publishes recordings whose owner is named by the rule or the first folder. */
  publishes: z.boolean(),
})
export type InboxRule = z.infer<typeof inboxRuleSchema>

/** With `link`, originals are read from their folder instead of from a copy. */
export const INBOX_ORIGINALS = ['copy', 'move', 'link'] as const
export type InboxOriginals = (typeof INBOX_ORIGINALS)[number]

const settingsFields = z.object({
  originals: z.enum(INBOX_ORIGINALS),
  /** Says what happens to the original of a video that is deleted on the site. */
  whenDeleted: z.enum(['keep', 'delete']),
  /** Says what happens to the video of an original that is deleted in its folder. */
  whenMissing: z.enum(['keep', 'delete']),
  rules: z
    .array(inboxRuleSchema)
    .max(INBOX_RULES_MAX, `There can be at most ${INBOX_RULES_MAX} rules.`),
})

export const inboxSettingsSchema = settingsFields.extend({ folders: z.array(z.string()) })
export type InboxSettings = z.infer<typeof inboxSettingsSchema>

export const editInboxSettingsSchema = settingsFields
  .partial()
  .extend({ was: wasSchema(settingsFields) })
export type EditInboxSettings = z.infer<typeof editInboxSettingsSchema>

const folderStatusSchema = z.object({
  folder: z.string(),
  /** Number of files that the last complete round found. */
  files: z.int(),
  problem: z.string().nullable(),
})

export const inboxStatusSchema = z.object({
  /** Time of the last round, or null before the first one. */
  lookedAt: timestampSchema.nullable(),
  isPaused: z.boolean(),
  folders: z.array(folderStatusSchema),
  /** The file that the running round examines, or null between rounds. */
  examining: z.string().nullable(),
  /** Number of files that may still change. */
  settling: z.int(),
  /** Number of files that wait to be examined. */
  unread: z.int(),
  offered: z.int(),
  publishing: z.int(),
  published: z.int(),
  unusable: z.int(),
  /** A problem that stops all publishing, such as a full disk. */
  problem: z.string().nullable(),
})
export type InboxStatus = z.infer<typeof inboxStatusSchema>

export const unusableFileSchema = z.object({
  id: z.int(),
  folder: z.string(),
  path: z.string(),
  fileSize: z.int(),
  problem: z.string(),
  foundAt: timestampSchema,
})
