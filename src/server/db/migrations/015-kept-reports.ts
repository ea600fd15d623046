import { type Kysely, sql } from 'kysely'

/**
 * A report stays when what it is about is deleted: it keeps the words and whose they were. A row whose
 * target is gone no longer counts for 'one open report of a thing'.
 */
const statements = [
  `CREATE TABLE keptReports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reporterId INTEGER REFERENCES users (id) ON DELETE SET NULL,
    kind TEXT NOT NULL CHECK (kind IN ('video', 'comment', 'channel')),
    videoId INTEGER REFERENCES videos (id) ON DELETE SET NULL,
    commentId INTEGER REFERENCES comments (id) ON DELETE SET NULL,
    channelId INTEGER REFERENCES users (id) ON DELETE SET NULL,
    subject TEXT NOT NULL,
    accusedId INTEGER REFERENCES users (id) ON DELETE SET NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'resolved', 'dismissed')),
    createdAt TEXT NOT NULL,
    closedAt TEXT,
    closedBy INTEGER REFERENCES users (id) ON DELETE SET NULL,
    CHECK ((videoId IS NOT NULL) + (commentId IS NOT NULL) + (channelId IS NOT NULL) <= 1)
  ) STRICT`,
  `INSERT INTO keptReports (id, reporterId, kind, videoId, commentId, channelId, subject, accusedId,
      reason, state, createdAt, closedAt, closedBy)
    SELECT id, reporterId,
      iif(channelId IS NOT NULL, 'channel', iif(commentId IS NOT NULL, 'comment', 'video')),
      videoId, commentId, channelId,
      ifnull((SELECT title FROM videos WHERE videos.id = videoId),
        ifnull((SELECT content FROM comments WHERE comments.id = commentId),
          ifnull((SELECT displayName FROM users WHERE users.id = channelId), ''))),
      ifnull((SELECT userId FROM videos WHERE videos.id = videoId),
        ifnull((SELECT userId FROM comments WHERE comments.id = commentId), channelId)),
      reason, state, createdAt, closedAt, closedBy
    FROM reports`,
  `DROP TABLE reports`,
  `ALTER TABLE keptReports RENAME TO reports`,
  `CREATE INDEX reportsByState ON reports (state, createdAt DESC, id DESC)`,
  `CREATE INDEX reportsByVideo ON reports (videoId)`,
  `CREATE INDEX reportsByComment ON reports (commentId)`,
  `CREATE INDEX reportsByChannel ON reports (channelId)`,
  `CREATE INDEX reportsByAccused ON reports (accusedId)`,
  `CREATE INDEX reportsByReporter ON reports (reporterId)`,
  `CREATE INDEX reportsByCloser ON reports (closedBy)`,
  `CREATE UNIQUE INDEX openReportByTarget ON reports (
    reporterId, ifnull(videoId, 0), ifnull(commentId, 0), ifnull(channelId, 0)
  ) WHERE state = 'open'
    AND (videoId IS NOT NULL OR commentId IS NOT NULL OR channelId IS NOT NULL)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
