import { type Kysely, sql } from 'kysely'

/** Comments on posts are answered, one level deep; and an upload knows who played along in its video. */
const statements = [
  `ALTER TABLE "posts" ADD COLUMN "topCommentId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE`,
  `CREATE INDEX "repliesByComment" ON "posts" ("topCommentId", "createdAt", "id")
    WHERE "topCommentId" IS NOT NULL`,
  `ALTER TABLE "uploads" ADD COLUMN "participants" TEXT NOT NULL DEFAULT '[]'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
