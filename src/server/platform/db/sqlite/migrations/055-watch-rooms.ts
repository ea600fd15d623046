import { type Kysely, sql } from 'kysely'

/** Rooms in which members watch together. They and their chat are deleted soon after everybody has left. */
const statements = [
  `CREATE TABLE "watchRooms" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "token" TEXT NOT NULL UNIQUE,
    "itemId" INTEGER,
    "position" REAL NOT NULL,
    "rate" REAL NOT NULL DEFAULT 1,
    "isPaused" INTEGER NOT NULL CHECK ("isPaused" IN (0, 1)),
    "at" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "allowsGuests" INTEGER NOT NULL DEFAULT 0 CHECK ("allowsGuests" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    "lastSeenAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX "watchRoomsByLastSeen" ON "watchRooms" ("lastSeenAt")`,
  `CREATE TABLE "watchRoomItems" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "roomId" INTEGER NOT NULL REFERENCES "watchRooms" ("id") ON DELETE CASCADE,
    "place" INTEGER NOT NULL,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "clipId" INTEGER REFERENCES "clips" ("id") ON DELETE CASCADE,
    "addedBy" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL
  ) STRICT`,
  `CREATE INDEX "watchRoomItemsByRoom" ON "watchRoomItems" ("roomId", "place")`,
  `CREATE INDEX "watchRoomItemsByVideo" ON "watchRoomItems" ("videoId")`,
  `CREATE INDEX "watchRoomItemsByClip" ON "watchRoomItems" ("clipId")`,
  `CREATE INDEX "watchRoomItemsByMember" ON "watchRoomItems" ("addedBy")`,
  `CREATE TABLE "watchRoomMembers" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "roomId" INTEGER NOT NULL REFERENCES "watchRooms" ("id") ON DELETE CASCADE,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "guestKey" TEXT,
    "role" TEXT NOT NULL CHECK ("role" IN ('host', 'steers', 'watches')),
    "isHere" INTEGER NOT NULL CHECK ("isHere" IN (0, 1)),
    "seenAt" TEXT NOT NULL,
    "joinedAt" TEXT NOT NULL,
    UNIQUE ("roomId", "userId"),
    UNIQUE ("roomId", "guestKey"),
    CHECK (("userId" IS NULL) <> ("guestKey" IS NULL))
  ) STRICT`,
  `CREATE INDEX "watchRoomMembersByUser" ON "watchRoomMembers" ("userId")`,
  `CREATE TABLE "watchRoomMessages" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "roomId" INTEGER NOT NULL REFERENCES "watchRooms" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "content" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX "watchRoomMessagesByRoom" ON "watchRoomMessages" ("roomId", "id")`,
  `CREATE INDEX "watchRoomMessagesByUser" ON "watchRoomMessages" ("userId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
