import { type Kysely, sql } from 'kysely'

/**
 * The words of the search index are made in another way: which one, the index says. The server indexes all videos once more when
 * it starts. Tags are suggested by their letters and digits alone.
 */
const statements = [
  `ALTER TABLE "searchState" ADD COLUMN "wordsFormat" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "searchTags" ADD COLUMN "plainName" TEXT NOT NULL DEFAULT ''`,
  `CREATE INDEX "searchTagsByPlainName" ON "searchTags" ("plainName", "tag")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
