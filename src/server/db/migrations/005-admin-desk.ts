import { type Kysely, sql } from 'kysely'

const flag = (name: string, initial: 0 | 1) =>
  `${name} INTEGER NOT NULL DEFAULT ${initial} CHECK (${name} IN (0, 1))`

/** Adds to what the files of a kind take, and to what the video's listed files take. */
const addFile = (row: 'NEW' | 'OLD', sign: '+' | '-') => `
    INSERT OR IGNORE INTO storageTotals (kind, bytes) VALUES (${row}.kind, 0);
    UPDATE storageTotals SET bytes = bytes ${sign} ifnull(${row}.bytes, 0) WHERE kind = ${row}.kind;
    UPDATE videos SET listedBytes = listedBytes ${sign} ifnull(${row}.bytes, 0)
      WHERE id = ${row}.videoId;`

/** Adds to what all videos take, and to what their member's videos take. */
const addVideo = (change: string, row: 'NEW' | 'OLD') => `
    UPDATE storageTotals SET bytes = bytes + ${change} WHERE kind = 'all';
    UPDATE users SET storageBytes = storageBytes + ${change} WHERE id = ${row}.userId;`

const addViews = (count: string) => `
    INSERT OR IGNORE INTO siteDays (day) VALUES (NEW.day);
    UPDATE siteDays SET views = views + ${count} WHERE day = NEW.day;`

const members = [
  `ALTER TABLE users ADD COLUMN bannedAt TEXT`,
  `ALTER TABLE users ADD COLUMN banReason TEXT`,
  `ALTER TABLE users ADD COLUMN quotaBytes INTEGER`,
  `ALTER TABLE users ADD COLUMN storageBytes INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX bannedUsers ON users (bannedAt) WHERE bannedAt IS NOT NULL`,
  `CREATE INDEX adminUsers ON users (id) WHERE isAdmin = 1`,

  `CREATE TABLE invites (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE,
    usesMax INTEGER NOT NULL,
    uses INTEGER NOT NULL DEFAULT 0,
    expiresAt TEXT,
    note TEXT NOT NULL DEFAULT '',
    createdBy INTEGER REFERENCES users (id) ON DELETE SET NULL,
    createdAt TEXT NOT NULL,
    revokedAt TEXT
  ) STRICT`,
  `CREATE INDEX invitesByCreator ON invites (createdBy)`,

  `CREATE TABLE passwordResets (
    tokenHash TEXT PRIMARY KEY,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    createdAt TEXT NOT NULL,
    expiresAt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX passwordResetsByUser ON passwordResets (userId)`,
]

const moderation = [
  `ALTER TABLE videos ADD COLUMN withheld TEXT CHECK (withheld IN ('hidden', 'banned'))`,
  `ALTER TABLE videos ADD COLUMN ${flag('commentsOff', 0)}`,
  `DROP INDEX unapprovedVideos`,
  `CREATE INDEX unapprovedVideos ON videos (publishedAt, id)
    WHERE contentApproved = 0 AND rejectionReason IS NULL AND withheld IS NULL`,

  `ALTER TABLE comments ADD COLUMN withheld TEXT CHECK (withheld IN ('held', 'hidden', 'banned'))`,
  `ALTER TABLE comments ADD COLUMN ${flag('isPinned', 0)}`,
  `ALTER TABLE comments ADD COLUMN ${flag('isHearted', 0)}`,
  `CREATE INDEX heldComments ON comments (createdAt, id) WHERE withheld = 'held'`,
  `CREATE UNIQUE INDEX pinnedComments ON comments (videoId) WHERE isPinned = 1`,

  `CREATE TABLE auditLog (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    createdAt TEXT NOT NULL,
    actorId INTEGER,
    actorName TEXT NOT NULL,
    action TEXT NOT NULL,
    targetKind TEXT NOT NULL,
    targetId INTEGER,
    targetName TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT ''
  ) STRICT`,
  `CREATE INDEX auditByTarget ON auditLog (targetId, targetKind, action)`,
  `CREATE INDEX auditByAction ON auditLog (action, id)`,
  `CREATE TRIGGER auditLogKeepsWords BEFORE UPDATE ON auditLog BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
  END`,
  `CREATE TRIGGER auditLogKeepsRows BEFORE DELETE ON auditLog BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
  END`,
]

const storage = [
  `ALTER TABLE videos ADD COLUMN listedBytes INTEGER NOT NULL DEFAULT 0`,
  `UPDATE videos SET listedBytes = ifnull(
    (SELECT sum(bytes) FROM mediaFiles WHERE mediaFiles.videoId = videos.id), 0)`,
  `UPDATE users SET storageBytes = ifnull(
    (SELECT sum(videos.storageBytes) FROM videos WHERE videos.userId = users.id), 0)`,
  `CREATE INDEX videosBySize ON videos (storageBytes DESC, id DESC)`,
  `CREATE INDEX videosWithOriginal ON videos (id) WHERE storageBytes > listedBytes`,

  `CREATE TABLE storageTotals (
    kind TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO storageTotals (kind, bytes)
    SELECT 'all', ifnull(sum(storageBytes), 0) FROM videos`,
  `INSERT INTO storageTotals (kind, bytes)
    SELECT kind, ifnull(sum(bytes), 0) FROM mediaFiles GROUP BY kind`,
  `CREATE TRIGGER mediaFileAdded AFTER INSERT ON mediaFiles BEGIN${addFile('NEW', '+')}
  END`,
  `CREATE TRIGGER mediaFileChanged AFTER UPDATE OF kind, bytes ON mediaFiles BEGIN${addFile('OLD', '-')}${addFile('NEW', '+')}
  END`,
  `CREATE TRIGGER mediaFileRemoved AFTER DELETE ON mediaFiles BEGIN${addFile('OLD', '-')}
  END`,
  `CREATE TRIGGER videoBytesAdded AFTER INSERT ON videos BEGIN${addVideo('NEW.storageBytes', 'NEW')}
  END`,
  `CREATE TRIGGER videoBytesChanged AFTER UPDATE OF storageBytes ON videos BEGIN${addVideo('NEW.storageBytes - OLD.storageBytes', 'NEW')}
  END`,
  `CREATE TRIGGER videoBytesRemoved AFTER DELETE ON videos BEGIN${addVideo('-OLD.storageBytes', 'OLD')}
  END`,

  `CREATE TABLE siteDays (
    day TEXT PRIMARY KEY,
    views INTEGER NOT NULL DEFAULT 0,
    storageBytes INTEGER
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO siteDays (day, views) SELECT day, sum(count) FROM dailyViews GROUP BY day`,
  `INSERT INTO siteDays (day, storageBytes)
    SELECT day, sum(bytes) OVER (ORDER BY day) FROM (
      SELECT substr(publishedAt, 1, 10) AS day, sum(storageBytes) AS bytes FROM videos GROUP BY 1
    ) WHERE TRUE
    ON CONFLICT (day) DO UPDATE SET storageBytes = excluded.storageBytes`,
  `CREATE TRIGGER dayViewed AFTER INSERT ON dailyViews BEGIN${addViews('NEW.count')}
  END`,
  `CREATE TRIGGER dayViewedAgain AFTER UPDATE OF count ON dailyViews BEGIN${addViews('NEW.count - OLD.count')}
  END`,
]

const work = [
  `CREATE TABLE jobLog (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    jobId INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    createdAt TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX jobLogByJob ON jobLog (jobId, id)`,

  `CREATE TABLE backups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    cause TEXT NOT NULL CHECK (cause IN ('asked', 'nightly')),
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed')),
    startedAt TEXT NOT NULL,
    finishedAt TEXT,
    bytes INTEGER,
    files INTEGER,
    videos INTEGER,
    members INTEGER,
    error TEXT
  ) STRICT`,

  `CREATE TABLE siteChecks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed')),
    startedAt TEXT NOT NULL,
    finishedAt TEXT,
    percent REAL NOT NULL DEFAULT 0,
    videos INTEGER,
    files INTEGER,
    problemCount INTEGER,
    problems TEXT NOT NULL DEFAULT '[]',
    error TEXT
  ) STRICT`,
]

const settings = [
  `tagline TEXT NOT NULL DEFAULT 'Your video sharing platform'`,
  `accent TEXT`,
  `logoUrl TEXT`,
  `rules TEXT NOT NULL DEFAULT ''`,
  `registration TEXT NOT NULL DEFAULT 'open'
    CHECK (registration IN ('open', 'invite', 'closed'))`,
  `extraCategories TEXT NOT NULL DEFAULT '[]'`,
  `maxVideoBytes INTEGER`,
  `maxThumbnailBytes INTEGER`,
  flag('anonymousByDefault', 0),
  flag('discordEmbedByDefault', 1),
  `heldWords TEXT NOT NULL DEFAULT '[]'`,
  flag('holdLinks', 0),
  `newMemberDays INTEGER NOT NULL DEFAULT 7`,
  `newMemberComments INTEGER NOT NULL DEFAULT 3`,
  `backupHour INTEGER CHECK (backupHour BETWEEN 0 AND 23)`,
  `backupsKept INTEGER NOT NULL DEFAULT 7`,
].map((column) => `ALTER TABLE siteSettings ADD COLUMN ${column}`)

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...members, ...moderation, ...storage, ...work, ...settings]) {
    await sql.raw(statement).execute(db)
  }
}
