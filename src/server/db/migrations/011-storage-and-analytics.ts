import { type Kysely, sql } from 'kysely'

// Within a trigger 'OR IGNORE' does not hold when the statement that fired it is an upsert: what is
// missing is looked for first.

const makeVideoDay = `
    INSERT INTO videoDays (videoId, day) SELECT NEW.videoId, substr(NEW.createdAt, 1, 10)
      WHERE NOT EXISTS (SELECT 1 FROM videoDays
        WHERE videoId = NEW.videoId AND day = substr(NEW.createdAt, 1, 10));`

/** Adds to what the files of a kind take, and to what the video's listed files take. */
const addFile = (row: 'NEW' | 'OLD', sign: '+' | '-') => `
    INSERT INTO storageTotals (kind, bytes) SELECT ${row}.kind, 0
      WHERE NOT EXISTS (SELECT 1 FROM storageTotals WHERE kind = ${row}.kind);
    UPDATE storageTotals SET bytes = bytes ${sign} ifnull(${row}.bytes, 0) WHERE kind = ${row}.kind;
    UPDATE videos SET listedBytes = listedBytes ${sign} ifnull(${row}.bytes, 0)
      WHERE id = ${row}.videoId;`

const statements = [
  // A table that is made anew loses its triggers: whoever does so again brings these along.
  `DROP TRIGGER IF EXISTS mediaFileAdded`,
  `DROP TRIGGER IF EXISTS mediaFileChanged`,
  `DROP TRIGGER IF EXISTS mediaFileRemoved`,
  `UPDATE videos SET listedBytes = ifnull(
    (SELECT sum(bytes) FROM mediaFiles WHERE mediaFiles.videoId = videos.id), 0)`,
  `DELETE FROM storageTotals WHERE kind <> 'all'`,
  `INSERT INTO storageTotals (kind, bytes)
    SELECT kind, ifnull(sum(bytes), 0) FROM mediaFiles GROUP BY kind`,
  `CREATE TRIGGER mediaFileAdded AFTER INSERT ON mediaFiles BEGIN${addFile('NEW', '+')}
  END`,
  `CREATE TRIGGER mediaFileChanged AFTER UPDATE OF kind, bytes ON mediaFiles BEGIN${addFile('OLD', '-')}${addFile('NEW', '+')}
  END`,
  `CREATE TRIGGER mediaFileRemoved AFTER DELETE ON mediaFiles BEGIN${addFile('OLD', '-')}
  END`,

  `CREATE TABLE videoDays (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    watchSeconds REAL NOT NULL DEFAULT 0,
    likes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (videoId, day)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO videoDays (videoId, day, likes)
    SELECT videoId, substr(createdAt, 1, 10), count(*) FROM likes
    WHERE videoId IS NOT NULL AND isLike = 1 GROUP BY 1, 2`,
  `CREATE TRIGGER videoLiked AFTER INSERT ON likes
    WHEN NEW.videoId IS NOT NULL AND NEW.isLike = 1 BEGIN${makeVideoDay}
    UPDATE videoDays SET likes = likes + 1
      WHERE videoId = NEW.videoId AND day = substr(NEW.createdAt, 1, 10);
  END`,
  `CREATE TRIGGER videoLikeFlipped AFTER UPDATE OF isLike, createdAt ON likes
    WHEN NEW.videoId IS NOT NULL BEGIN
    UPDATE videoDays SET likes = likes - OLD.isLike
      WHERE videoId = OLD.videoId AND day = substr(OLD.createdAt, 1, 10);${makeVideoDay}
    UPDATE videoDays SET likes = likes + NEW.isLike
      WHERE videoId = NEW.videoId AND day = substr(NEW.createdAt, 1, 10);
  END`,
  `CREATE TRIGGER videoUnliked AFTER DELETE ON likes
    WHEN OLD.videoId IS NOT NULL AND OLD.isLike = 1 BEGIN
    UPDATE videoDays SET likes = likes - 1
      WHERE videoId = OLD.videoId AND day = substr(OLD.createdAt, 1, 10);
  END`,

  `CREATE TABLE videoSources (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('site', 'direct', 'search', 'external', 'embed')),
    views INTEGER NOT NULL,
    PRIMARY KEY (videoId, day, source)
  ) STRICT, WITHOUT ROWID`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
