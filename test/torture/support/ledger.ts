import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { openTriedSite, type Variables } from './tried-site.ts'

type Fact = { sentence: string; holds: (db: Database) => Promise<boolean> }

export type Ledger = ReturnType<typeof createLedger>

/**
 * What a site has acknowledged, by a key for each object, so that a later acknowledgement of the same object takes the
 * place of the earlier one. Whoever begins to change an object drops its key until the answer is there.
 */
export function createLedger() {
  const facts = new Map<string, Fact>()

  const keep = (key: string, sentence: string, holds: Fact['holds']) => {
    facts.set(key, { sentence, holds })
  }
  const exists = (query: ReturnType<typeof sql>) => async (db: Database) => {
    const { rows } = await query.execute(db)
    return rows.length > 0
  }

  return {
    /** How many acknowledgements are on the books. */
    size: () => facts.size,
    /** A change was sent and not yet answered: both outcomes are right. */
    drop: (key: string) => facts.delete(key),
    dropWhere: (matches: (key: string) => boolean) => {
      for (const key of [...facts.keys()].filter(matches)) facts.delete(key)
    },

    chunk: (uploadId: string, index: number) =>
      keep(
        `chunk ${uploadId} ${index}`,
        `chunk ${index} of upload ${uploadId} is stored`,
        exists(sql`SELECT 1 FROM uploads LEFT JOIN "uploadChunks"
          ON "uploadId" = uploads.id AND "chunkIndex" = ${index}
          WHERE uploads.id = ${uploadId} AND ("uploadId" IS NOT NULL OR state = 'expired')`),
      ),
    upload: (uploadId: string) =>
      keep(
        `upload ${uploadId}`,
        `upload ${uploadId} is open`,
        exists(sql`SELECT 1 FROM uploads WHERE id = ${uploadId}`),
      ),
    cancelled: (uploadId: string) =>
      keep(
        `upload ${uploadId}`,
        `upload ${uploadId} is over`,
        exists(sql`SELECT 1 FROM uploads WHERE id = ${uploadId} AND state = 'expired'`),
      ),
    video: (id: number, title: string) =>
      keep(
        `video ${id}`,
        `video ${id} "${title}" is there`,
        exists(sql`SELECT 1 FROM videos WHERE id = ${id} AND title = ${title}
          AND "processingState" IN ('processing', 'ready')`),
      ),
    noVideo: (id: number) =>
      keep(`video ${id}`, `video ${id} is gone`, async (db) => {
        const found = await sql`SELECT 1 FROM videos WHERE id = ${id}
          AND "processingState" <> 'deleting'`.execute(db)
        return found.rows.length === 0
      }),
    poster: (id: number, url: string) =>
      keep(
        `poster ${id}`,
        `video ${id} has the picture ${url}`,
        exists(sql`SELECT 1 FROM videos WHERE id = ${id} AND "thumbnailUrl" = ${url}`),
      ),
    avatar: (id: number, url: string) =>
      keep(
        `avatar ${id}`,
        `member ${id} has the picture ${url}`,
        exists(sql`SELECT 1 FROM users WHERE id = ${id} AND "avatarUrl" = ${url}`),
      ),
    comment: (id: number, content: string) =>
      keep(
        `comment ${id}`,
        `comment ${id} says "${content}"`,
        exists(sql`SELECT 1 FROM comments WHERE id = ${id} AND content = ${content}`),
      ),
    like: (member: number, target: { videoId?: number; commentId?: number }, isLike: boolean) =>
      keep(
        `like ${member} ${target.videoId ?? ''}/${target.commentId ?? ''}`,
        `member ${member} rated ${JSON.stringify(target)} ${isLike}`,
        exists(sql`SELECT 1 FROM likes WHERE "userId" = ${member} AND "isLike" = ${isLike ? 1 : 0}
          AND "videoId" IS NOT DISTINCT FROM CAST(${target.videoId ?? null} AS bigint) AND "commentId" IS NOT DISTINCT FROM CAST(${target.commentId ?? null} AS bigint)`),
      ),
    name: (id: number, displayName: string) =>
      keep(
        `name ${id}`,
        `member ${id} is called "${displayName}"`,
        exists(sql`SELECT 1 FROM users WHERE id = ${id} AND "displayName" = ${displayName}`),
      ),
    ban: (id: number, isBanned: boolean) =>
      keep(
        `ban ${id}`,
        `member ${id} is ${isBanned ? 'banned' : 'not banned'}`,
        exists(sql`SELECT 1 FROM users WHERE id = ${id}
          AND CASE WHEN "bannedAt" IS NULL THEN 0 ELSE 1 END = ${isBanned ? 1 : 0}`),
      ),
    member: (id: number) =>
      keep(
        `member ${id}`,
        `member ${id} has an account`,
        exists(sql`SELECT 1 FROM users WHERE id = ${id} AND deletion IS NULL`),
      ),
    noMember: (id: number) =>
      keep(`member ${id}`, `member ${id} has no account`, async (db) => {
        const { rows } = await sql`SELECT 1 FROM users WHERE id = ${id}`.execute(db)
        return rows.length === 0
      }),

    /** What was acknowledged and is not so, a sentence each; members may go on meanwhile. */
    check: (dataFolder: string, env?: Variables) => checkFacts(facts, { dataFolder, env }),

    /** Remembers what is on the books now, for what is made from now on. */
    copy() {
      const then = new Map(facts)
      return {
        /** What was so then and is so now, and was so all the time in between. */
        whatStillHolds() {
          const same = new Map([...then].filter(([key, fact]) => facts.get(key) === fact))
          return { check: (dataFolder: string) => checkFacts(same, { dataFolder }) }
        },
      }
    },
  }
}

async function checkFacts(
  facts: Map<string, Fact>,
  { dataFolder, env }: { dataFolder: string; env?: Variables | undefined },
): Promise<string[]> {
  const db = openTriedSite(dataFolder, env)
  try {
    const lost: string[] = []
    for (const [key, fact] of [...facts]) {
      if (facts.get(key) !== fact || (await fact.holds(db))) continue
      // Somebody may have begun to change it since.
      if (facts.get(key) === fact) lost.push(`Acknowledged, but not so: ${fact.sentence}.`)
    }
    return lost
  } finally {
    await db.destroy()
  }
}
