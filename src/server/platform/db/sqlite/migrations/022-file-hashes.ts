import { type Kysely, sql } from 'kysely'

/** SHA-256 in hexadecimal digits; null for files from before, until one of the site's checks has read them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE "mediaFiles" ADD COLUMN "sha256" TEXT`.execute(db)
  // Of what has no row in "mediaFiles": uploads themselves, and the pictures of channels and the site.
  await sql`CREATE TABLE "fileHashes" (
    "mediaKey" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    PRIMARY KEY ("mediaKey", "name")
  ) STRICT, WITHOUT ROWID`.execute(db)
}
