import { z } from 'zod'
import type { FieldRule } from './field-rules.ts'
import { CATEGORY_MAX, MAX_PAGE_SIZE, PAGE_SIZE } from './limits.ts'
import { tidyQuery, tidyText, UNSHOWABLE_CHARACTER } from './text/shown-text.ts'

const ID = /^[1-9]\d{0,15}$/
/** 1 to 2^53 - 1, as a number or in decimal digits. */
export const idSchema = z
  .union([z.number(), z.string()], { error: 'must be a whole number' })
  .refine((value) => ID.test(String(value)) && Number(value) <= Number.MAX_SAFE_INTEGER, {
    error: 'must be a whole number',
  })
  .transform(Number)

const lineOf = (tidy: (value: string) => string) =>
  z
    .string()
    .transform(tidy)
    .refine((value) => !UNSHOWABLE_CHARACTER.test(value) && !/[\n\t]/.test(value), {
      error: 'has a character that cannot be shown',
    })

/** Trimmed, well-formed, no control characters. */
export const lineSchema = lineOf(tidyText)
/** A line to search for. */
export const queryLineSchema = lineOf(tidyQuery)

export const textSchema = z
  .string()
  .transform((value) => tidyText(value.replaceAll('\r\n', '\n')))
  .refine((value) => !UNSHOWABLE_CHARACTER.test(value), {
    error: 'has a character that cannot be shown',
  })

export function ruleCheck(rule: FieldRule) {
  return (value: string, context: z.RefinementCtx<string>): void => {
    const problem = rule(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }
}

/**
 * Values that the editor read: a field that changed since is a conflict, an omitted one is
 * overwritten.
 */
export function wasSchema<Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>) {
  return fields.partial().optional()
}

/** The server checks that the site has it. */
export const categorySchema = lineSchema.refine(
  (name) => name.length >= 1 && name.length <= CATEGORY_MAX,
  { error: 'is not one of the categories' },
)

// A cursor ordered by title contains the title.
const CURSOR_MAX = 1500

const LIMIT_SENTENCE = `must be a whole number from 1 to ${MAX_PAGE_SIZE}`

export const limitSchema = z
  .union([z.number(), z.string()], { error: LIMIT_SENTENCE })
  .refine((value) => ID.test(String(value)) && Number(value) <= MAX_PAGE_SIZE, {
    error: LIMIT_SENTENCE,
  })
  .transform(Number)

export const pageInputSchema = z.object({
  limit: limitSchema.default(PAGE_SIZE),
  cursor: z.string().min(1).max(CURSOR_MAX).nullish(),
})
export type PageInput = z.infer<typeof pageInputSchema>

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}
export type Page<Item> = { items: Item[]; nextCursor: string | null }

export const timestampSchema = z.iso.datetime()
