import { type Kysely, sql } from 'kysely'

/** Comments in the order of their likes less their dislikes, and what it takes to count those of a video. */
const statements = [
  `CREATE INDEX "bestCommentsByVideo" ON "comments" ("videoId", ("likeCount" - "dislikeCount") DESC, "id" DESC)
    WHERE "parentId" IS NULL AND "clipId" IS NULL`,
  `CREATE INDEX "bestCommentsByClip" ON "comments" ("clipId", ("likeCount" - "dislikeCount") DESC, "id" DESC)
    WHERE "clipId" IS NOT NULL AND "parentId" IS NULL`,
  `CREATE INDEX "bestCommentsByPost" ON "posts" ("parentId", ("likeCount" - "dislikeCount") DESC, "id" DESC)
    WHERE "parentId" IS NOT NULL AND "topCommentId" IS NULL`,
  `CREATE INDEX "countedComments" ON "comments" ("videoId", "clipId", "withheld")`,
  `DROP INDEX "commentsByVideo"`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
