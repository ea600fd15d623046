import { type Kysely, sql } from 'kysely'

/** A node of the version before would write codes that can be read. */
export const needsAllNodes = true

/** Of the code of an invite the database has the SHA-256 alone, in hexadecimal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE "invites" RENAME COLUMN "code" TO "codeHash"`.execute(db)
  await sql`
    UPDATE "invites" SET "codeHash" = encode(sha256(convert_to("codeHash", 'UTF8')), 'hex')`.execute(
    db,
  )
}
