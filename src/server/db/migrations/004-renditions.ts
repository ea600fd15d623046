import { type Kysely, sql } from 'kysely'

/** The file's name in an address of our own, such as '/media/KEY/NAME'. */
const nameIn = (column: string) => `substr(${column}, length('/media/' || mediaKey || '/') + 1)`

const listKnownFiles = (column: string, kind: string) => `
  INSERT OR IGNORE INTO mediaFiles (videoId, name, kind)
  SELECT id, ${nameIn(column)}, '${kind}' FROM videos
  WHERE ${column} LIKE '/media/' || mediaKey || '/%'`

const statements = [
  `CREATE TABLE mediaFiles (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN (
      'video', 'rendition', 'playlist', 'sound', 'picture', 'storyboard', 'share'
    )),
    bytes INTEGER,
    retiredAt TEXT,
    PRIMARY KEY (videoId, name)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX retiredMediaFiles ON mediaFiles (retiredAt) WHERE retiredAt IS NOT NULL`,
  listKnownFiles('videoUrl', 'video'),
  listKnownFiles('thumbnailUrl', 'picture'),

  `CREATE TABLE renditions (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    name INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    frameRate REAL NOT NULL,
    bandwidth INTEGER NOT NULL,
    averageBandwidth INTEGER NOT NULL,
    codecs TEXT NOT NULL,
    copied INTEGER NOT NULL CHECK (copied IN (0, 1)),
    PRIMARY KEY (videoId, name)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE soundTracks (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    file TEXT NOT NULL,
    language TEXT,
    PRIMARY KEY (videoId, number)
  ) STRICT, WITHOUT ROWID`,

  `ALTER TABLE videos ADD COLUMN hlsUrl TEXT`,
  `ALTER TABLE videos ADD COLUMN storyboardUrl TEXT`,
  `ALTER TABLE videos ADD COLUMN shareUrl TEXT`,
  `ALTER TABLE videos ADD COLUMN cardUrl TEXT`,
  `ALTER TABLE videos ADD COLUMN loudnessLufs REAL`,

  `ALTER TABLE jobs ADD COLUMN step TEXT`,
  `ALTER TABLE jobs ADD COLUMN speed REAL`,
  `ALTER TABLE jobs ADD COLUMN secondsLeft REAL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
