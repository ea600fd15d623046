import type { Database } from '#server/platform/db/database.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { parseRichText } from '#shared/text/rich-text.ts'
import { countPublicComments, findAccountAge } from './review.queries.ts'

const DAY_MS = 86_400_000
const BARE_LINK = /(?<![\p{L}\p{N}])www\.[\p{L}\p{N}]/iu

/**
 * The text has a word on the site's list, or a new member's link, if the site holds those. Not
 * for
 * `isTrusted`.
 */
export async function needsReview(
  db: Database,
  input: { userId: number; content: string; isTrusted: boolean },
): Promise<boolean> {
  if (input.isTrusted) return false
  const settings = await findSiteSettings(db)
  if (hasWord(input.content, settings.heldWords)) return true
  if (!settings.holdLinks || !hasLink(input.content)) return false
  return isNewMember(db, { userId: input.userId, ...settings })
}

/** Whole words and phrases, whatever case and accents. */
export function hasWord(content: string, words: readonly string[]): boolean {
  if (words.length === 0) return false
  const choice = words.map((word) => escapePattern(fold(word))).join('|')
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${choice})(?![\\p{L}\\p{N}])`, 'u').test(fold(content))
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function hasLink(content: string): boolean {
  return BARE_LINK.test(content) || parseRichText(content).some(({ kind }) => kind === 'link')
}

async function isNewMember(
  db: Database,
  input: { userId: number; newMemberDays: number; newMemberComments: number },
): Promise<boolean> {
  const { userId, newMemberDays, newMemberComments } = input
  const createdAt = await findAccountAge(db, userId)
  if (!createdAt || Date.parse(createdAt) > Date.now() - newMemberDays * DAY_MS) return true
  const limit = newMemberComments
  return limit > 0 && (await countPublicComments(db, { userId, limit })) < limit
}
