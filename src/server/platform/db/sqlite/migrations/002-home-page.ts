import { type Kysely, sql } from 'kysely'

/** What an admin puts at the top of the home page. */
const statements = [
  `ALTER TABLE "siteSettings" ADD COLUMN "notice" TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE "siteSettings" ADD COLUMN "pinnedVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL`,
  `CREATE INDEX "siteSettingsByPinnedVideo" ON "siteSettings" ("pinnedVideoId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
