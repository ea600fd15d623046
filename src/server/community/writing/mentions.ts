import { listUsersByName } from '#server/account/user/user.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { COMMENT_MAX } from '#shared/limits.ts'
import { listNewestMembers, listOwnSquadsByTag } from './mentioned-squads.queries.ts'

const MENTIONS_MAX = 10
// After a word it is an e-mail address; punctuation may precede: '(@ann)', '_@ann_'.
const MENTION = /(?<![\p{L}\p{N}@][._-]{0,8})@([A-Za-z0-9][A-Za-z0-9._-]{1,29})/gu
/** Maximum per text; each squad notifies up to `SQUAD_MENTIONED_MAX` members. */
const SQUADS_MAX = 2

/**
 * A final full stop or dash may belong to the name or to the sentence. The tag of one of the
 * author's squads stands for its newest members, also if a member has the same name.
 */
export async function listMentioned(
  db: Database,
  { content, authorId }: { content: string; authorId: number },
): Promise<number[]> {
  const names = mentionsIn(content)
  if (names.length === 0) return []
  const tags = [...new Set(names.map(withoutSentenceEnd))]
  const squads = await listOwnSquadsByTag(db, { tags, userId: authorId })
  const squadTags = squads.map(({ foldedTag }) => foldedTag)
  const others = names.filter((name) => !squadTags.includes(withoutSentenceEnd(name)))
  const users = await listUsersByName(db, [...others, ...others.map(withoutSentenceEnd)])
  const idOf = new Map(users.map((user) => [user.username.toLowerCase(), user.id]))
  const found = others.map((name) => idOf.get(name) ?? idOf.get(withoutSentenceEnd(name)))
  const ids = [...found.filter((id) => id !== undefined)]
  for (const { id } of squads.slice(0, SQUADS_MAX)) {
    ids.push(...(await listNewestMembers(db, id)))
  }
  return [...new Set(ids)]
}

/**
 * Adds an @mention where missing.
 * @throws `invalid` when the text becomes too long
 */
export function mentioning(
  content: string,
  { user }: { user: { username: string } | null },
): string {
  if (!user || beginsWithMention(content, user.username)) return content
  const mentioned = `@${user.username} ${content}`
  if (mentioned.length <= COMMENT_MAX) return mentioned
  throw new AppError(
    'invalid',
    `An answer to @${user.username} has at most ${COMMENT_MAX - user.username.length - 2} characters.`,
  )
}

function beginsWithMention(content: string, username: string): boolean {
  const [first = ''] = content.startsWith('@') ? mentionsIn(content) : []
  return [first, withoutSentenceEnd(first)].includes(username.toLowerCase())
}

/** Lower case. */
function mentionsIn(content: string): string[] {
  const names = [...content.matchAll(MENTION)].map(([, name = '']) => name.toLowerCase())
  return [...new Set(names)].slice(0, MENTIONS_MAX)
}

function withoutSentenceEnd(name: string): string {
  return name.replace(/[._-]+$/, '')
}
