import { type Kysely, sql } from 'kysely'

/*
 * A channel may have tens of thousands of videos, too many to index anew in the transaction that
 * renames it. A row of channelRenames says how far that has come: the videos with an id beyond
 * `reachedId` are still in the index with the old name, the others with the new one. The triggers
 * go by that, so that the index agrees with the rows at every moment.
 */

const isPublic = (row: string) => `${row}.processingState = 'ready' AND ${row}.contentApproved = 1`

/** The name that the index has, or is to have, for a video. */
const indexedName = (row: string, write: (prefix: (column: string) => string) => string) =>
  `ifnull(
      (SELECT iif(${row}.id > reachedId,
          ${write((column) => `old${column}`)}, ${write((column) => `new${column}`)})
        FROM channelRenames WHERE userId = ${row}.userId),
      (SELECT ${write((column) => `${column.charAt(0).toLowerCase()}${column.slice(1)}`)}
        FROM users WHERE id = ${row}.userId))`

const fullName = (row: string) =>
  indexedName(row, (name) => `${name('DisplayName')} || char(10) || ${name('Username')}`)
const displayName = (row: string) => indexedName(row, (name) => name('DisplayName'))

const tags = (row: string) => `(SELECT group_concat(value, char(10)) FROM json_each(${row}.tags))`

const text = (row: string) =>
  `concat_ws(char(10), ${row}.title, ${tags(row)}, ${row}.description,
    iif(${row}.isAnonymous, NULL, ${fullName(row)}))`

const textWhenPublic = (row: string) => `iif(${isPublic(row)}, ${text(row)}, NULL)`

const count = (before: string, after: string) => `
  INSERT INTO searchTerms (term, videoCount)
  SELECT value ->> 0, value ->> 1
  FROM json_each(wordChanges(${before}, ${after}))
  WHERE true
  ON CONFLICT (term) DO UPDATE SET videoCount = videoCount + excluded.videoCount`

const insert = `
  INSERT INTO videoSearch (rowid, title, tags, description, channel, titleSigns, signs, category)
  SELECT videos.id, videos.title, ${tags('videos')}, videos.description,
    iif(videos.isAnonymous, NULL, ${fullName('videos')}),
    spellSigns(videos.title),
    spellSigns(concat_ws(char(10), ${tags('videos')}, videos.description,
      iif(videos.isAnonymous, NULL, ${displayName('videos')}))),
    char(57345) || hex(videos.category)
  FROM videos WHERE ${isPublic('videos')}`

const changed = 'UPDATE searchState SET changes = changes + 1'

const statements = [
  `CREATE TABLE channelRenames (
    userId INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    oldDisplayName TEXT NOT NULL,
    oldUsername TEXT NOT NULL,
    newDisplayName TEXT NOT NULL,
    newUsername TEXT NOT NULL,
    reachedId INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  // Merging within a commit held everybody up: search/index-merge.queries.ts does it a little at a time.
  `INSERT INTO videoSearch (videoSearch, rank) VALUES ('automerge', 0)`,
  `INSERT INTO videoSearch (videoSearch, rank) VALUES ('crisismerge', 1000)`,

  `CREATE INDEX videosByChannel ON videos (userId, id)`,

  'DROP TRIGGER videoInserted',
  'DROP TRIGGER videoTextUpdated',
  'DROP TRIGGER videoDeleted',
  'DROP TRIGGER channelRenamed',
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
  // While videos are still on their way from an older name to another, that goes on to its end first.
  `CREATE TRIGGER channelRenamed AFTER UPDATE OF displayName, username ON users
    WHEN OLD.displayName <> NEW.displayName OR OLD.username <> NEW.username BEGIN
    DELETE FROM channelSearch WHERE rowid = OLD.id;
    INSERT INTO channelSearch (rowid, displayName, username)
      VALUES (NEW.id, NEW.displayName, NEW.username);
    INSERT INTO channelRenames
        (userId, oldDisplayName, oldUsername, newDisplayName, newUsername)
      SELECT NEW.id, OLD.displayName, OLD.username, NEW.displayName, NEW.username
      WHERE EXISTS (SELECT 1 FROM videos WHERE userId = NEW.id)
        AND NOT EXISTS (SELECT 1 FROM channelRenames WHERE userId = NEW.id);
    ${changed};
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
