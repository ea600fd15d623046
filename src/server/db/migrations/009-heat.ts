import { type Kysely, sql } from 'kysely'

const statement = `CREATE TABLE heat (
  videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
  slice INTEGER NOT NULL CHECK (slice BETWEEN 0 AND 99),
  seconds REAL NOT NULL,
  PRIMARY KEY (videoId, slice)
) STRICT, WITHOUT ROWID`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db)
}
