import { type Kysely, sql } from 'kysely'

/** Cards in several widths, with a preview in the row; the index finds those made before. */
const statements = [
  `ALTER TABLE "videos" ADD COLUMN "preview" text COLLATE "C"`,
  `CREATE INDEX "videosWithOldCards" ON "videos" ("id") WHERE "cardUrl" IS NOT NULL AND "preview" IS NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
