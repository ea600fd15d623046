import { type Kysely, sql } from 'kysely'

const statements = [
  `ALTER TABLE users ADD COLUMN historyPaused INTEGER NOT NULL DEFAULT 0
    CHECK (historyPaused IN (0, 1))`,
  `CREATE INDEX usersByAvatar ON users (avatarUrl) WHERE avatarUrl IS NOT NULL`,
  `CREATE INDEX usersByBanner ON users (bannerUrl) WHERE bannerUrl IS NOT NULL`,
  `ALTER TABLE sessions ADD COLUMN userAgent TEXT`,
  `ALTER TABLE comments ADD COLUMN editedAt TEXT`,
  `ALTER TABLE videos ADD COLUMN rejectionReason TEXT`,
  `CREATE INDEX unapprovedVideos ON videos (publishedAt, id)
    WHERE contentApproved = 0 AND rejectionReason IS NULL`,

  `CREATE TABLE history (
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    positionSeconds REAL NOT NULL,
    watchedAt TEXT NOT NULL,
    PRIMARY KEY (userId, videoId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX historyByTime ON history (userId, watchedAt DESC, videoId DESC)`,
  `CREATE INDEX historyByVideo ON history (videoId)`,

  `CREATE TABLE hiddenVideos (
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    PRIMARY KEY (userId, videoId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX hiddenByVideo ON hiddenVideos (videoId)`,

  `CREATE TABLE playlists (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('list', 'watch-later')),
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    isPublic INTEGER NOT NULL DEFAULT 0 CHECK (isPublic IN (0, 1)),
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX playlistsByUser ON playlists (userId, updatedAt DESC, id DESC)`,
  `CREATE UNIQUE INDEX watchLaterByUser ON playlists (userId) WHERE kind = 'watch-later'`,

  `CREATE TABLE playlistItems (
    playlistId INTEGER NOT NULL REFERENCES playlists (id) ON DELETE CASCADE,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    addedAt TEXT NOT NULL,
    PRIMARY KEY (playlistId, videoId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX playlistItemsByPosition ON playlistItems (playlistId, position)`,
  `CREATE INDEX playlistItemsByVideo ON playlistItems (videoId)`,

  `CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reporterId INTEGER REFERENCES users (id) ON DELETE SET NULL,
    videoId INTEGER REFERENCES videos (id) ON DELETE CASCADE,
    commentId INTEGER REFERENCES comments (id) ON DELETE CASCADE,
    channelId INTEGER REFERENCES users (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'resolved', 'dismissed')),
    createdAt TEXT NOT NULL,
    closedAt TEXT,
    closedBy INTEGER REFERENCES users (id) ON DELETE SET NULL,
    CHECK ((videoId IS NOT NULL) + (commentId IS NOT NULL) + (channelId IS NOT NULL) = 1)
  ) STRICT`,
  `CREATE INDEX reportsByState ON reports (state, createdAt DESC, id DESC)`,
  `CREATE INDEX reportsByVideo ON reports (videoId)`,
  `CREATE INDEX reportsByComment ON reports (commentId)`,
  `CREATE INDEX reportsByChannel ON reports (channelId)`,
  `CREATE INDEX reportsByReporter ON reports (reporterId)`,
  `CREATE INDEX reportsByCloser ON reports (closedBy)`,
  `CREATE UNIQUE INDEX openReportByTarget ON reports (
    reporterId, ifnull(videoId, 0), ifnull(commentId, 0), ifnull(channelId, 0)
  ) WHERE state = 'open'`,

  `CREATE TABLE siteSettings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    uploadsNeedApproval INTEGER NOT NULL DEFAULT 0 CHECK (uploadsNeedApproval IN (0, 1)),
    viewerSecret TEXT NOT NULL
  ) STRICT`,
  `INSERT INTO siteSettings (id, name, viewerSecret) VALUES (1, 'Clutch', hex(randomblob(32)))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
