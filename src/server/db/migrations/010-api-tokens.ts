import { type Kysely, sql } from 'kysely'

const statements = [
  `CREATE TABLE apiTokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('upload', 'read')),
    tokenHash TEXT NOT NULL UNIQUE,
    createdAt TEXT NOT NULL,
    lastUsedAt TEXT,
    expiresAt TEXT
  ) STRICT`,
  `CREATE INDEX apiTokensByUser ON apiTokens (userId, id)`,
  // However a password is changed or a ban comes about, tokens end with it.
  `CREATE TRIGGER newPasswordEndsApiTokens AFTER UPDATE OF password ON users BEGIN
    DELETE FROM apiTokens WHERE userId = NEW.id;
  END`,
  `CREATE TRIGGER banEndsApiTokens AFTER UPDATE OF bannedAt ON users
  WHEN NEW.bannedAt IS NOT NULL BEGIN
    DELETE FROM apiTokens WHERE userId = NEW.id;
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
