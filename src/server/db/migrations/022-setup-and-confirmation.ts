import { type Kysely, sql } from 'kysely'

const statements = [
  // SHA-256 of the code with which somebody registers as the first admin; null while there is one.
  `ALTER TABLE siteSettings ADD COLUMN setupCodeHash TEXT`,
  // When the password was last typed into this session for something that asks for it.
  `ALTER TABLE sessions ADD COLUMN confirmedAt TEXT`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
