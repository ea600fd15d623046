import { type RawBuilder, sql } from 'kysely'
import { isPublicVideo } from '../video/video.access.ts'

/*
 * What the triggers write for a public video (db/migrations/012-channel-renames.ts), for those who
 * make the index anew, compare it, or bring it up to a channel's new name.
 */

type Fragment = RawBuilder<unknown>

const tags = sql`(SELECT string_agg("value", char(10)) FROM json_each("videos"."tags"))`

/** A channel's name as the index has it, before and after its latest change, and apart from one. */
const NAMES = {
  full: {
    old: sql`"oldDisplayName" || char(10) || "oldUsername"`,
    new: sql`"newDisplayName" || char(10) || "newUsername"`,
    current: sql`"displayName" || char(10) || "username"`,
  },
  display: { old: sql`"oldDisplayName"`, new: sql`"newDisplayName"`, current: sql`"displayName"` },
}

/** While a new name is on its way, the videos it has not reached have the old one. */
const indexedName = (names: (typeof NAMES)['full']) => sql`coalesce(
  (SELECT CASE WHEN "videos"."id" > "reachedId" THEN ${names.old} ELSE ${names.new} END
    FROM "channelRenames" WHERE "channelRenames"."userId" = "videos"."userId"),
  (SELECT ${names.current} FROM "users" WHERE "users"."id" = "videos"."userId"))`

export const videoColumns = sql`"rowid", "title", "tags", "description", "channel", "titleSigns", "signs", "category"`

/** The rows of `videoSearch`. */
export const videoRows = sql`
  SELECT "videos"."id", "videos"."title", ${tags}, "videos"."description",
    CASE WHEN "videos"."isAnonymous" = 0 THEN ${indexedName(NAMES.full)} END,
    spellSigns("videos"."title"),
    spellSigns(concat_ws(char(10), ${tags}, "videos"."description",
      CASE WHEN "videos"."isAnonymous" = 0 THEN ${indexedName(NAMES.display)} END)),
    char(57345) || hex("videos"."category")
  FROM "videos" WHERE ${isPublicVideo}`

const textWith = (name: Fragment) =>
  sql`concat_ws(char(10), "videos"."title", ${tags}, "videos"."description", ${name})`

/** All words of a video; an anonymous one has no channel. */
const indexedText = textWith(
  sql`CASE WHEN "videos"."isAnonymous" = 0 THEN ${indexedName(NAMES.full)} END`,
)

/** The rows of `searchTerms`. */
export const countedWords: RawBuilder<{ term: string; videoCount: number }> = sql`
  SELECT "value" ->> 0 AS "term", count(*) AS "videoCount"
  FROM "videos", json_each(wordChanges(NULL, ${indexedText}))
  WHERE ${isPublicVideo} GROUP BY 1`

/** What a new name changes in the words of videos: a word, and 1 or -1. */
export const renamedWords = sql`
  SELECT "value" ->> 0, "value" ->> 1
  FROM "videos" JOIN "channelRenames" ON "channelRenames"."userId" = "videos"."userId",
    json_each(wordChanges(${textWith(NAMES.full.old)}, ${textWith(NAMES.full.new)}))
  WHERE ${isPublicVideo} AND "videos"."isAnonymous" = 0`

export const channelColumns = sql`"rowid", "displayName", "username"`

/** The rows of `channelSearch`. */
export const channelRows = sql`SELECT "id", "displayName", "username" FROM "users"`
