import { type Kysely, sql } from 'kysely'

/** The row of a video in the index, when everybody may see it; an anonymous one has no channel. */
const indexed = `
  SELECT videos.id, videos.title,
    (SELECT group_concat(value, ' ') FROM json_each(videos.tags)),
    videos.description,
    iif(videos.isAnonymous, '', users.displayName || ' ' || users.username),
    videos.category
  FROM videos JOIN users ON users.id = videos.userId
  WHERE videos.processingState = 'ready' AND videos.contentApproved = 1`

const insert = `INSERT INTO videoSearch (rowid, title, tags, description, channel, category) ${indexed}`

const statements = [
  `CREATE VIRTUAL TABLE videoSearch USING fts5 (
    title, tags, description, channel, category,
    content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
  )`,
  `CREATE VIRTUAL TABLE videoTerms USING fts5vocab (videoSearch, row)`,

  `CREATE TABLE videoTags (
    tag TEXT NOT NULL,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, videoId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX tagsByVideo ON videoTags (videoId)`,

  `CREATE TRIGGER videoInserted AFTER INSERT ON videos BEGIN
    ${insert} AND videos.id = NEW.id;
    INSERT OR IGNORE INTO videoTags SELECT lower(value), NEW.id FROM json_each(NEW.tags);
  END`,
  `CREATE TRIGGER videoTextUpdated
    AFTER UPDATE OF title, description, tags, category, isAnonymous, processingState, contentApproved
    ON videos BEGIN
    DELETE FROM videoSearch WHERE rowid = OLD.id;
    ${insert} AND videos.id = NEW.id;
  END`,
  `CREATE TRIGGER videoTagsUpdated AFTER UPDATE OF tags ON videos BEGIN
    DELETE FROM videoTags WHERE videoId = OLD.id;
    INSERT OR IGNORE INTO videoTags SELECT lower(value), NEW.id FROM json_each(NEW.tags);
  END`,
  `CREATE TRIGGER videoDeleted AFTER DELETE ON videos BEGIN
    DELETE FROM videoSearch WHERE rowid = OLD.id;
  END`,
  `CREATE TRIGGER channelRenamed AFTER UPDATE OF displayName, username ON users
    WHEN OLD.displayName <> NEW.displayName OR OLD.username <> NEW.username BEGIN
    DELETE FROM videoSearch WHERE rowid IN (SELECT id FROM videos WHERE userId = NEW.id);
    ${insert} AND videos.userId = NEW.id;
  END`,
  insert,
  `INSERT OR IGNORE INTO videoTags
    SELECT lower(value), videos.id FROM videos, json_each(videos.tags)`,

  `CREATE TABLE views (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    viewerKey TEXT NOT NULL,
    viewedAt TEXT NOT NULL,
    PRIMARY KEY (videoId, viewerKey)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX viewsByViewer ON views (viewerKey, viewedAt)`,
  `CREATE INDEX viewsByTime ON views (viewedAt)`,

  `CREATE TABLE dailyViews (
    day TEXT NOT NULL,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    count INTEGER NOT NULL,
    PRIMARY KEY (day, videoId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX dailyViewsByVideo ON dailyViews (videoId, day)`,

  `CREATE TABLE watchedNext (
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    nextVideoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    count INTEGER NOT NULL,
    PRIMARY KEY (videoId, nextVideoId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX watchedNextByNext ON watchedNext (nextVideoId)`,

  `CREATE INDEX likesByTime ON likes (createdAt) WHERE videoId IS NOT NULL AND isLike = 1`,
  `CREATE INDEX commentsByTime ON comments (createdAt)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
