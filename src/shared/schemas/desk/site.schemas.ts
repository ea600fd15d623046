import { z } from 'zod'
import {
  NOTICE_MAX,
  RULES_MAX,
  SITE_NAME_MAX,
  TAGLINE_MAX,
  WELCOME_MAX,
} from '../../admin-limits.ts'
import { GAME_COLOUR_RULE, isColour } from '../../colour.ts'
import { categorySchema, lineSchema, textSchema, wasSchema } from '../../field.schemas.ts'
import { CATEGORIES, CATEGORY_MAX } from '../../limits.ts'
import { readHost } from '../../local-host.ts'
import { visibilitySchema } from '../visibility.schemas.ts'

export const EXTRA_CATEGORIES_MAX = 50
const HELD_WORDS_MAX = 500
const BACKUPS_KEPT_MAX = 100
const UPDATE_ADDRESS_MAX = 500
const LOCAL_HOSTS_MAX = 50

const audienceSchema = z.enum(['everybody', 'members'])
export type Audience = z.infer<typeof audienceSchema>

export const registrationSchema = z.enum(['open', 'invite', 'closed'])
export type Registration = z.infer<typeof registrationSchema>

/** Public. */
export const siteSettingsSchema = z.object({
  name: z.string(),
  tagline: z.string(),
  /** A sentence that tells visitors what the site is. It is empty if there is none. */
  welcome: z.string(),
  /** #rrggbb; null for the theme's. */
  accent: z.string().nullable(),
  logoUrl: z.string().nullable(),
  hasRules: z.boolean(),
  registration: registrationSchema,
  audience: audienceSchema,
  defaultVisibility: visibilitySchema,
  allowsDownloads: z.boolean(),
  /** Members may let the site fetch files from addresses. */
  fetchesAddresses: z.boolean(),
  uploadsNeedApproval: z.boolean(),
  /** Built-in ones come first; archived ones are left out. */
  categories: z.array(z.string()),
  /** These cannot be chosen for videos, but their videos are still found. */
  archivedCategories: z.array(z.string()),
  /** #rrggbb by category, only where an admin chose a colour. */
  categoryColours: z.record(z.string(), z.string()),
  anonymousByDefault: z.boolean(),
  discordEmbedByDefault: z.boolean(),
  /** Bytes in effect. */
  maxVideoBytes: z.int(),
  maxThumbnailBytes: z.int(),
})
export type SiteSettings = z.infer<typeof siteSettingsSchema>

export const adminSettingsSchema = siteSettingsSchema.extend({
  rules: z.string(),
  notice: z.string(),
  extraCategories: z.array(z.string()),
  heldWords: z.array(z.string()),
  holdLinks: z.boolean(),
  newMemberDays: z.int(),
  newMemberComments: z.int(),
  backupHour: z.int().nullable(),
  backupsKept: z.int(),
  asksForUpdates: z.boolean(),
  updateAddress: z.string(),
  /** Hosts on the local network to which the site may connect, also without https. */
  localHosts: z.array(z.string()),
  localHostsOfEnvironment: z.array(z.string()),
  /** Upper bound of the environment. */
  maxVideoBytesAllowed: z.int(),
  maxThumbnailBytesAllowed: z.int(),
  /** Per member; null for unlimited. */
  quotaBytes: z.int().nullable(),
})
export type AdminSettings = z.infer<typeof adminSettingsSchema>

const CATEGORY = /^[\p{L}\p{N}][\p{L}\p{N} .:+&'-]*$/u

export const newCategorySchema = lineSchema
  .refine((name) => name.length >= 2 && name.length <= CATEGORY_MAX, {
    error: `A game has 2 to ${CATEGORY_MAX} characters.`,
  })
  .refine((name) => CATEGORY.test(name), {
    error: "A game has letters, digits, spaces and . : + & ' - only.",
  })

const fold = (text: string) => text.normalize('NFC').toLowerCase()

export const extraCategoriesSchema = z
  .array(newCategorySchema)
  .max(EXTRA_CATEGORIES_MAX, `A site has at most ${EXTRA_CATEGORIES_MAX} games of its own.`)
  .refine(
    (names) => {
      const all = [...CATEGORIES, ...names].map(fold)
      return new Set(all).size === all.length
    },
    { error: 'Every game needs a name of its own.' },
  )

const heldWordsSchema = z
  .array(lineSchema.refine((word) => word.length <= 50, { error: 'A word is too long.' }))
  .transform((words) => [...new Set(words.map(fold))].filter((word) => word.length > 0))
  .refine((words) => words.length <= HELD_WORDS_MAX, {
    error: `The list has at most ${HELD_WORDS_MAX} words.`,
  })

const hostSchema = lineSchema.transform((line, context) => {
  const host = readHost(line)
  if (host !== undefined) return host
  context.addIssue({
    code: 'custom',
    message: `Not a host: ${line}. Enter names or IP addresses, with or without a port, but no https:// and no wildcards.`,
  })
  return z.NEVER
})

const localHostsSchema = z
  .array(hostSchema)
  .transform((hosts) => [...new Set(hosts)])
  .refine((hosts) => hosts.length <= LOCAL_HOSTS_MAX, {
    error: `The list has at most ${LOCAL_HOSTS_MAX} hosts.`,
  })

const wholeNumber = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`
  return z.int({ error }).min(from, error).max(to, error)
}
const byteLimit = wholeNumber(1024, Number.MAX_SAFE_INTEGER).nullable().optional()

/** Omitted settings stay. */
export const editSiteSettingsSchema = z.object({
  name: lineSchema
    .refine((name) => name.length >= 1 && name.length <= SITE_NAME_MAX, {
      error: `The site's name must be 1 to ${SITE_NAME_MAX} characters.`,
    })
    .optional(),
  tagline: lineSchema
    .refine((tagline) => tagline.length <= TAGLINE_MAX, {
      error: `The tagline must be at most ${TAGLINE_MAX} characters.`,
    })
    .optional(),
  welcome: lineSchema
    .refine((welcome) => welcome.length <= WELCOME_MAX, {
      error: `The sentence for visitors must be at most ${WELCOME_MAX} characters.`,
    })
    .optional(),
  accent: z
    .string()
    .refine(isColour, { error: 'The accent must be a colour like #c8ff3e.' })
    .nullable()
    .optional(),
  rules: textSchema
    .refine((rules) => rules.length <= RULES_MAX, {
      error: `The rules must be at most ${RULES_MAX} characters.`,
    })
    .optional(),
  notice: textSchema
    .refine((notice) => notice.length <= NOTICE_MAX, {
      error: `The notice must be at most ${NOTICE_MAX} characters.`,
    })
    .optional(),
  registration: registrationSchema.optional(),
  audience: audienceSchema.optional(),
  defaultVisibility: visibilitySchema.optional(),
  allowsDownloads: z.boolean().optional(),
  fetchesAddresses: z.boolean().optional(),
  uploadsNeedApproval: z.boolean().optional(),
  extraCategories: extraCategoriesSchema.optional(),
  anonymousByDefault: z.boolean().optional(),
  discordEmbedByDefault: z.boolean().optional(),
  /** Null for the environment's limit. */
  maxVideoBytes: byteLimit,
  maxThumbnailBytes: byteLimit,
  heldWords: heldWordsSchema.optional(),
  holdLinks: z.boolean().optional(),
  newMemberDays: wholeNumber(0, 365).optional(),
  newMemberComments: wholeNumber(0, 1000).optional(),
  backupHour: wholeNumber(0, 23).nullable().optional(),
  backupsKept: wholeNumber(1, BACKUPS_KEPT_MAX).optional(),
  asksForUpdates: z.boolean().optional(),
  updateAddress: lineSchema
    .refine((address) => address.length <= UPDATE_ADDRESS_MAX, {
      error: `The address for updates must be at most ${UPDATE_ADDRESS_MAX} characters.`,
    })
    .optional(),
  localHosts: localHostsSchema.optional(),
  was: wasSchema(
    adminSettingsSchema.omit({
      logoUrl: true,
      hasRules: true,
      categories: true,
      archivedCategories: true,
      categoryColours: true,
      localHostsOfEnvironment: true,
      maxVideoBytesAllowed: true,
      maxThumbnailBytesAllowed: true,
      quotaBytes: true,
    }),
  ),
})
export type EditSiteSettings = z.infer<typeof editSiteSettingsSchema>

/** A category as admins manage it. */
export const gameSchema = z.object({
  name: z.string(),
  /** Built-in games keep their place, name and colour. */
  isBuiltIn: z.boolean(),
  colour: z.string().nullable(),
  artUrl: z.string().nullable(),
  isArchived: z.boolean(),
  /** Counts public videos only. */
  videoCount: z.int(),
})
export type Game = z.infer<typeof gameSchema>

export const editGameSchema = z.object({
  name: categorySchema,
  colour: z.string().refine(isColour, { error: GAME_COLOUR_RULE }).nullable().optional(),
  isArchived: z.boolean().optional(),
})
export type EditGame = z.infer<typeof editGameSchema>
