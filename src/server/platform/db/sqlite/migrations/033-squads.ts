import { type Kysely, sql } from 'kysely'

const PUBLISHED = `WHERE "processingState" = 'ready' AND "contentApproved" = 1`

/** Groups of members, and what is for one of them alone. */
const squads = [
  `CREATE TABLE "squads" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "tag" TEXT NOT NULL,
    "foldedTag" TEXT NOT NULL UNIQUE,
    "colour" TEXT NOT NULL,
    "emblem" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "joining" TEXT NOT NULL CHECK ("joining" IN ('open', 'request', 'invite')),
    "memberCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    "deletedAt" TEXT
  ) STRICT`,
  `CREATE INDEX "squadsBySize" ON "squads" ("memberCount" DESC, "id" DESC) WHERE "deletedAt" IS NULL`,
  `CREATE TABLE "squadMembers" (
    "squadId" INTEGER NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "role" TEXT NOT NULL CHECK ("role" IN ('owner', 'officer', 'member')),
    "joinedAt" TEXT NOT NULL,
    PRIMARY KEY ("squadId", "userId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "squadMembersByUser" ON "squadMembers" ("userId", "squadId")`,
  `CREATE UNIQUE INDEX "squadOwners" ON "squadMembers" ("squadId") WHERE "role" = 'owner'`,
  `CREATE TABLE "squadRequests" (
    "squadId" INTEGER NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    PRIMARY KEY ("squadId", "userId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "squadRequestsByUser" ON "squadRequests" ("userId")`,
  `CREATE TABLE "squadInvites" (
    "squadId" INTEGER NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    PRIMARY KEY ("squadId", "userId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "squadInvitesByUser" ON "squadInvites" ("userId")`,
]

const columns = [
  `ALTER TABLE "videos" ADD COLUMN "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE SET NULL`,
  `CREATE INDEX "videosBySquad" ON "videos" ("squadId", "publishedAt" DESC, "id" DESC) WHERE "squadId" IS NOT NULL`,
  `ALTER TABLE "uploads" ADD COLUMN "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE SET NULL`,
  `CREATE INDEX "uploadsBySquad" ON "uploads" ("squadId") WHERE "squadId" IS NOT NULL`,
  `ALTER TABLE "notifications" ADD COLUMN "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE CASCADE`,
  `ALTER TABLE "posts" ADD COLUMN "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE CASCADE`,
  `CREATE INDEX "postsBySquad" ON "posts" ("squadId", "createdAt" DESC, "id" DESC) WHERE "squadId" IS NOT NULL`,
  `CREATE INDEX "notificationsBySquad" ON "notifications" ("squadId") WHERE "squadId" IS NOT NULL`,
]

/** With the squad, so that it is compared without a look at the row, as the level is. */
const indexes = [
  `DROP INDEX "publishedVideosByTime"`,
  `CREATE INDEX "publishedVideosByTime" ON "videos" ("publishedAt" DESC, "id" DESC, "visibility", "squadId") ${PUBLISHED}`,
  `DROP INDEX "publishedVideosByCategory"`,
  `CREATE INDEX "publishedVideosByCategory" ON "videos"
    ("category", "publishedAt" DESC, "id" DESC, "visibility", "squadId") ${PUBLISHED}`,
  `DROP INDEX "publishedVideosByViews"`,
  `CREATE INDEX "publishedVideosByViews" ON "videos" ("viewCount" DESC, "id" DESC, "visibility", "squadId") ${PUBLISHED}`,
  `DROP INDEX "videosByChannel"`,
  `CREATE INDEX "videosByChannel" ON "videos"
    ("userId", "id", "processingState", "contentApproved", "visibility", "isAnonymous", "squadId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...squads, ...columns, ...indexes]) await sql.raw(statement).execute(db)
}
