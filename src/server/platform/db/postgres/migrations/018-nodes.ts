import { type Kysely, sql } from 'kysely'

const tables = [
  `CREATE TABLE "nodes" (
    "id" text COLLATE "C" NOT NULL PRIMARY KEY,
    "name" text COLLATE "C" NOT NULL,
    "version" text COLLATE "C" NOT NULL,
    "startedAt" text COLLATE "C" NOT NULL,
    "seenAt" text COLLATE "C" NOT NULL,
    "isDraining" bigint NOT NULL DEFAULT 0 CHECK ("isDraining" IN (0, 1))
  )`,
  // A crash of the server forgives, as a restart does where counts are in memory.
  `CREATE UNLOGGED TABLE "rateCounts" (
    "key" text COLLATE "C" NOT NULL PRIMARY KEY,
    "count" bigint NOT NULL,
    "endsAt" bigint NOT NULL
  )`,
  `CREATE INDEX "rateCountsByEnd" ON "rateCounts" ("endsAt")`,
  `ALTER TABLE "jobs" ADD COLUMN "nodeId" text COLLATE "C"`,
  `ALTER TABLE "siteSettings" ADD COLUMN "neededMigration" text COLLATE "C"`,
]

/** What visitors are shown depends on these; what is written to them quietly may be seen a second later. */
const SHOWN = [
  ...['users', 'videos', 'mediaFiles', 'renditions', 'soundTracks', 'soundNames', 'captions'],
  ...[
    'videoMembers',
    'videoTags',
    'shareLinks',
    'clips',
    'clipLikes',
    'cuts',
    'montages',
    'moments',
  ],
  ...[
    'comments',
    'likes',
    'subscriptions',
    'participants',
    'featuredChannels',
    'posts',
    'postLikes',
  ],
  ...['playlists', 'playlistItems', 'playlistMembers', 'siteSettings', 'categoryTotals', 'heat'],
]

const changes = [
  `CREATE FUNCTION "noteChange"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF coalesce(current_setting('clutch.quiet', TRUE), '') <> 'yes' THEN
      PERFORM pg_notify('clutch', '{"topic":"changes"}');
    END IF;
    RETURN NULL;
  END $$`,
  ...SHOWN.map(
    (
      table,
    ) => `CREATE TRIGGER "noteChange" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "${table}"
      FOR EACH STATEMENT EXECUTE FUNCTION "noteChange"()`,
  ),
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...changes]) await sql.raw(statement).execute(db)
}
