import { type Kysely, sql } from 'kysely'

const statements = [
  `CREATE INDEX usersByStorage ON users (storageBytes DESC, id DESC)`,
  `DROP INDEX videosWithOriginal`,
  `CREATE INDEX videosWithOriginal ON videos (storageBytes DESC, id DESC)
    WHERE storageBytes > listedBytes`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
