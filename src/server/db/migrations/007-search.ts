import { type Kysely, sql } from 'kysely'

/*
 * The SQL functions wordChanges(before, after) and spellSigns(text) belong to the connection: see
 * db/words.ts. What they answer for a text must not change without making the index anew.
 */

const isPublic = (row: string) => `${row}.processingState = 'ready' AND ${row}.contentApproved = 1`

/** All words of a video; an anonymous one has no channel. */
const text = (
  row: string,
  name = `(SELECT displayName || char(10) || username FROM users WHERE id = ${row}.userId)`,
) =>
  `concat_ws(char(10), ${row}.title, ${tags(row)}, ${row}.description, iif(${row}.isAnonymous, NULL, ${name}))`

const tags = (row: string) => `(SELECT group_concat(value, char(10)) FROM json_each(${row}.tags))`

const textWhenPublic = (row: string, name?: string) =>
  `iif(${isPublic(row)}, ${text(row, name)}, NULL)`

/** Counts the words of each row of `source`; there `before` and `after` are texts or null. */
const count = (before: string, after: string, source = '') => `
  INSERT INTO searchTerms (term, videoCount)
  SELECT value ->> 0, value ->> 1
  FROM ${source ? `${source}, ` : ''}json_each(wordChanges(${before}, ${after}))
  WHERE true
  ON CONFLICT (term) DO UPDATE SET videoCount = videoCount + excluded.videoCount`

/** A category is one word that no text has. */
const insert = `
  INSERT INTO videoSearch (rowid, title, tags, description, channel, titleSigns, signs, category)
  SELECT videos.id, videos.title, ${tags('videos')}, videos.description,
    iif(videos.isAnonymous, NULL, users.displayName || char(10) || users.username),
    spellSigns(videos.title),
    spellSigns(concat_ws(char(10), ${tags('videos')}, videos.description,
      iif(videos.isAnonymous, NULL, users.displayName))),
    char(57345) || hex(videos.category)
  FROM videos JOIN users ON users.id = videos.userId
  WHERE ${isPublic('videos')}`

const changed = 'UPDATE searchState SET changes = changes + 1'

const statements = [
  'DROP TRIGGER videoInserted',
  'DROP TRIGGER videoTextUpdated',
  'DROP TRIGGER videoDeleted',
  'DROP TRIGGER channelRenamed',
  'DROP TABLE videoTerms',
  'DROP TABLE videoSearch',

  `CREATE VIRTUAL TABLE videoSearch USING fts5 (
    title, tags, description, channel, titleSigns, signs, category,
    content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
  )`,
  `CREATE VIRTUAL TABLE videoTerms USING fts5vocab (videoSearch, row)`,
  `CREATE TABLE searchTerms (
    term TEXT PRIMARY KEY,
    videoCount INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE searchState (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    changes INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO searchState (id, changes) VALUES (1, 0)`,
  `CREATE VIRTUAL TABLE channelSearch USING fts5 (
    displayName, username,
    content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
  )`,
  `CREATE INDEX publicVideosByViews ON videos (viewCount DESC, id DESC)
    WHERE processingState = 'ready' AND contentApproved = 1`,

  `CREATE TRIGGER searchTermUnused AFTER UPDATE ON searchTerms WHEN NEW.videoCount <= 0 BEGIN
    DELETE FROM searchTerms WHERE term = NEW.term;
  END`,
  `CREATE TRIGGER videoInserted AFTER INSERT ON videos BEGIN
    ${insert} AND videos.id = NEW.id;
    ${count('NULL', textWhenPublic('NEW'))};
    ${changed};
    INSERT OR IGNORE INTO videoTags SELECT lower(value), NEW.id FROM json_each(NEW.tags);
  END`,
  `CREATE TRIGGER videoTextUpdated
    AFTER UPDATE OF title, description, tags, category, isAnonymous, processingState, contentApproved
    ON videos WHEN (${isPublic('OLD')}) OR (${isPublic('NEW')}) BEGIN
    DELETE FROM videoSearch WHERE rowid = OLD.id;
    ${insert} AND videos.id = NEW.id;
    ${count(textWhenPublic('OLD'), textWhenPublic('NEW'))};
    ${changed};
  END`,
  `CREATE TRIGGER videoDeleted AFTER DELETE ON videos WHEN ${isPublic('OLD')} BEGIN
    DELETE FROM videoSearch WHERE rowid = OLD.id;
    ${count(text('OLD'), 'NULL')};
    ${changed};
  END`,

  `CREATE TRIGGER channelInserted AFTER INSERT ON users BEGIN
    INSERT INTO channelSearch (rowid, displayName, username)
      VALUES (NEW.id, NEW.displayName, NEW.username);
  END`,
  `CREATE TRIGGER channelRenamed AFTER UPDATE OF displayName, username ON users
    WHEN OLD.displayName <> NEW.displayName OR OLD.username <> NEW.username BEGIN
    DELETE FROM channelSearch WHERE rowid = OLD.id;
    INSERT INTO channelSearch (rowid, displayName, username)
      VALUES (NEW.id, NEW.displayName, NEW.username);
    DELETE FROM videoSearch WHERE rowid IN (SELECT id FROM videos WHERE userId = NEW.id);
    ${insert} AND videos.userId = NEW.id;
    ${count(
      textWhenPublic('videos', 'OLD.displayName || char(10) || OLD.username'),
      textWhenPublic('videos'),
      '(SELECT * FROM videos WHERE userId = NEW.id) AS videos',
    )};
    ${changed};
  END`,
  // While the name is still there: the words of their videos are counted with it.
  `CREATE TRIGGER channelDeleted BEFORE DELETE ON users BEGIN
    DELETE FROM channelSearch WHERE rowid = OLD.id;
    DELETE FROM videos WHERE userId = OLD.id;
  END`,

  insert,
  `INSERT INTO searchTerms (term, videoCount)
    SELECT value ->> 0, count(*) FROM videos, json_each(wordChanges(NULL, ${text('videos')}))
    WHERE ${isPublic('videos')} GROUP BY 1`,
  `INSERT INTO channelSearch (rowid, displayName, username)
    SELECT id, displayName, username FROM users`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
