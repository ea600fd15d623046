import { type Kysely, sql } from 'kysely'

/** Recordings of one match by several members, with the places where each begins. */
const statements = [
  `CREATE TABLE "squadViews" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "createdAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE "squadViewVideos" (
    "squadViewId" INTEGER NOT NULL REFERENCES "squadViews" ("id") ON DELETE CASCADE,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('in', 'asked', 'offered', 'declined')),
    "alignment" TEXT NOT NULL CHECK ("alignment" IN ('waiting', 'sound', 'hand', 'none')),
    "offsetSeconds" REAL,
    "mediaKey" TEXT NOT NULL,
    PRIMARY KEY ("squadViewId", "videoId"),
    CHECK (("offsetSeconds" IS NOT NULL) = ("alignment" IN ('sound', 'hand')))
  ) STRICT`,
  `CREATE INDEX "squadViewVideosByVideo" ON "squadViewVideos" ("videoId")`,
  `CREATE UNIQUE INDEX "squadViewOfVideo" ON "squadViewVideos" ("videoId") WHERE "state" = 'in'`,
  `ALTER TABLE "watchRoomItems" ADD COLUMN "squadViewId" INTEGER REFERENCES "squadViews" ("id") ON DELETE CASCADE`,
  `CREATE INDEX "watchRoomItemsBySquadView" ON "watchRoomItems" ("squadViewId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
