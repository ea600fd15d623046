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
  /** Relative to the folder on the server. */
  path: z.string(),
  state: z.enum(['new', 'queued', 'dismissed', 'unusable']),
  /** Why it was not published, or cannot be. */
  problem: z.string().nullable(),
  /** The file is not there at the moment. */
  isMissing: z.boolean(),
  fileSize: z.int(),
  game: z.string().nullable(),
  recordedAt: timestampSchema,
  /** Seconds; 0 if unknown. */
  duration: z.int(),
  pictureUrl: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  isAnonymous: z.boolean().nullable(),
  /** Null for the default. */
  visibility: visibilitySchema.nullable(),
  squadId: z.int().nullable(),
  /** The video, or the earlier item, with the same content. */
  duplicateOf: z.object({ videoId: z.int().nullable(), title: z.string() }).nullable(),
  /** Share of the file that was read, while queued. */
  percent: z.int(),
})
export type InboxItem = z.infer<typeof inboxItemSchema>

export const listInboxSchema = pageInputSchema.extend({
  show: z.enum(INBOX_FILTERS).default('open'),
})

export const inboxStateSchema = z.object({
  /** The site has folders to look at. */
  isOn: z.boolean(),
  /** Items of the member that wait for a decision. */
  waiting: z.int(),
  /** Files of the member that cannot be used. */
  unusable: z.int(),
})

export type InboxState = z.infer<typeof inboxStateSchema>

const itemIdsSchema = z
  .array(idSchema)
  .min(1)
  .max(MAX_BULK_VIDEOS, `At most ${MAX_BULK_VIDEOS} at a time.`)

export const inboxItemsSchema = z.object({ ids: itemIdsSchema })

/** Titles are set one by one; other omitted fields stay as proposed. */
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
  /** A folder anywhere below the inbox, such as 'Rust' or 'ann/Rust'; empty for every file. */
  folder: folderNameSchema,
  /** Null for the member whose name the first folder has, or else the first admin. */
  username: lineSchema.refine((name) => name.length <= USERNAME_MAX).nullable(),
  /** Null for that of the game. */
  category: z.string().max(100).nullable(),
  /** Null for the default of the member. */
  visibility: visibilitySchema.nullable(),
  squadId: idSchema.nullable(),
  /** Only where the rule or the first folder names the owner. */
  publishes: z.boolean(),
})
export type InboxRule = z.infer<typeof inboxRuleSchema>

/** `link`: read where they lie, without a copy in between. */
export const INBOX_ORIGINALS = ['copy', 'move', 'link'] as const
export type InboxOriginals = (typeof INBOX_ORIGINALS)[number]

const settingsFields = z.object({
  originals: z.enum(INBOX_ORIGINALS),
  /** For the original of a video that is deleted on the site. */
  whenDeleted: z.enum(['keep', 'delete']),
  /** For the video of an original that is deleted in its folder. */
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
  /** Seen in the last whole round. */
  files: z.int(),
  problem: z.string().nullable(),
})

export const inboxStatusSchema = z.object({
  /** Null before the first round. */
  lookedAt: timestampSchema.nullable(),
  isPaused: z.boolean(),
  folders: z.array(folderStatusSchema),
  /** What the last round does at the moment; null between two. */
  examining: z.string().nullable(),
  /** Files that may still change. */
  settling: z.int(),
  /** Files that wait to be examined. */
  unread: z.int(),
  offered: z.int(),
  publishing: z.int(),
  published: z.int(),
  unusable: z.int(),
  /** What holds everything up, such as a full disk. */
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
