import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

type Invites = { invites: { id: number; codeHash: string } }

/** Of the code of an invite the database has the SHA-256 alone, in hexadecimal. */
export async function up(db: Kysely<Invites>): Promise<void> {
  // Without it the codes stay readable in the free space of the file's pages.
  await sql`PRAGMA secure_delete = ON`.execute(db)
  await sql`ALTER TABLE "invites" RENAME COLUMN "code" TO "codeHash"`.execute(db)
  const invites = await db.selectFrom('invites').select(['id', 'codeHash as code']).execute()
  for (const { id, code } of invites) {
    const codeHash = createHash('sha256').update(code).digest('hex')
    await db.updateTable('invites').set({ codeHash }).where('id', '=', id).execute()
  }
  await sql`PRAGMA secure_delete = OFF`.execute(db)
}
