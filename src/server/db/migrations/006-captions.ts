import { type Kysely, sql } from 'kysely'

const statements = [
  `CREATE TABLE captions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    language TEXT NOT NULL,
    label TEXT NOT NULL,
    file TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    UNIQUE (videoId, label)
  ) STRICT`,

  // SQLite cannot change a check: the table is made anew with one more kind.
  `CREATE TABLE mediaFilesWithCaptions (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN (
      'video', 'rendition', 'playlist', 'sound', 'picture', 'storyboard', 'share', 'captions'
    )),
    bytes INTEGER,
    retiredAt TEXT,
    PRIMARY KEY (videoId, name)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO mediaFilesWithCaptions (videoId, name, kind, bytes, retiredAt)
    SELECT videoId, name, kind, bytes, retiredAt FROM mediaFiles`,
  `DROP TABLE mediaFiles`,
  `ALTER TABLE mediaFilesWithCaptions RENAME TO mediaFiles`,
  `CREATE INDEX retiredMediaFiles ON mediaFiles (retiredAt) WHERE retiredAt IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
