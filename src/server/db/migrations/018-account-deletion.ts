import { type Kysely, sql } from 'kysely'

/**
 * An account that is being deleted says so before anything of it goes, so that a crash in between is
 * made good by the next start.
 */
const statements = [
  `ALTER TABLE users ADD COLUMN deletion TEXT
    CHECK (deletion IN ('keep-comments', 'with-comments'))`,
  `CREATE INDEX usersInDeletion ON users (id) WHERE deletion IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
