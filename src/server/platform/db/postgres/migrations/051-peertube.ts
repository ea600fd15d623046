import { type Kysely, sql } from 'kysely'

/** Imports from any source, and exports of a member's data in the format of PeerTube. */
const statements = [
  `ALTER TABLE "importedVideos" DROP CONSTRAINT "importedVideos_source_check"`,
  `ALTER TABLE "dataExports" ADD COLUMN "format" text COLLATE "C" NOT NULL DEFAULT 'clutch' CHECK ("format" IN ('clutch', 'peertube'))`,
  `ALTER TABLE "dataExportParts" ADD COLUMN "path" text COLLATE "C" NOT NULL DEFAULT 'account.json'`,
  `ALTER TABLE "dataExportParts" ADD COLUMN "crc32" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "dataExportFiles" ADD COLUMN "crc32" bigint NOT NULL DEFAULT 0`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
