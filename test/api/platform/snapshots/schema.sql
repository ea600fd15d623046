CREATE TABLE "announcedActs" (
    "kind" TEXT NOT NULL CHECK ("kind" IN ('like', 'new_subscriber', 'upload')),
    "actorId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "targetId" INTEGER NOT NULL,
    PRIMARY KEY ("kind", "actorId", "targetId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "announcedActsByActor" ON "announcedActs" ("actorId");

CREATE TABLE "announcedVideos" (
    "videoId" INTEGER NOT NULL PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE
  ) STRICT;

CREATE TABLE "apiTokens" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL CHECK ("scope" IN ('upload', 'read')),
    "tokenHash" TEXT NOT NULL UNIQUE,
    "createdAt" TEXT NOT NULL,
    "lastUsedAt" TEXT,
    "expiresAt" TEXT
  , "address" TEXT, "userAgent" TEXT) STRICT;

CREATE INDEX "apiTokensByUser" ON "apiTokens" ("userId", "id");

CREATE TABLE "auditLog" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "createdAt" TEXT NOT NULL,
    "actorId" INTEGER,
    "actorName" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "targetKind" TEXT NOT NULL,
    "targetId" INTEGER,
    "targetName" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT ''
  ) STRICT;

CREATE INDEX "auditByAction" ON "auditLog" ("action", "id");

CREATE INDEX "auditByTarget" ON "auditLog" ("targetId", "targetKind", "action");

CREATE TRIGGER "auditLogKeepsRows" BEFORE DELETE ON "auditLog" BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
  END;

CREATE TRIGGER "auditLogKeepsWords" BEFORE UPDATE ON "auditLog" BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
  END;

CREATE TABLE "backups" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL UNIQUE,
    "cause" TEXT NOT NULL CHECK ("cause" IN ('asked', 'nightly')),
    "state" TEXT NOT NULL CHECK ("state" IN ('running', 'done', 'failed')),
    "startedAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "bytes" INTEGER,
    "files" INTEGER,
    "videos" INTEGER,
    "members" INTEGER,
    "error" TEXT
  , "sendState" TEXT CHECK ("sendState" IN ('sending', 'sent', 'failed')), "sendError" TEXT) STRICT;

CREATE TABLE "captions" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "language" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "file" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    UNIQUE ("videoId", "label")
  ) STRICT;

CREATE TABLE "categoryTotals" (
    "category" TEXT PRIMARY KEY,
    "publicVideos" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE "channelSearch" USING fts5 (
    displayName,
    username,
    content = '',
    contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2',
    prefix = '1 2 3'
  );

CREATE TABLE 'channelSearch_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'channelSearch_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'channelSearch_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'channelSearch_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE "chatPosts" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "webhookId" INTEGER NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE,
    "videoId" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting'
      CHECK ("state" IN ('waiting', 'sending', 'posted', 'unknown', 'refused', 'deleted')),
    "messageId" TEXT,
    "content" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    UNIQUE ("webhookId", "videoId")
  ) STRICT;

CREATE INDEX "chatPostsByTime" ON "chatPosts" ("nextAt", "id") WHERE "nextAt" IS NOT NULL;

CREATE INDEX "chatPostsByVideo" ON "chatPosts" ("videoId");

CREATE TABLE "clipViews" (
    "clipId" INTEGER NOT NULL REFERENCES "clips" ("id") ON DELETE CASCADE,
    "viewerKey" TEXT NOT NULL,
    "viewedAt" TEXT NOT NULL,
    PRIMARY KEY ("clipId", "viewerKey")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "clipViewsByTime" ON "clipViews" ("viewedAt");

CREATE TABLE "clips" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "title" TEXT NOT NULL,
    "foldedTitle" TEXT NOT NULL,
    "startSeconds" REAL NOT NULL CHECK ("startSeconds" >= 0),
    "endSeconds" REAL NOT NULL CHECK ("endSeconds" > "startSeconds"),
    "createdAt" TEXT NOT NULL,
    "viewCount" INTEGER NOT NULL DEFAULT 0,
    "likeCount" INTEGER NOT NULL DEFAULT 0,
    "fileState" TEXT NOT NULL DEFAULT 'none' CHECK ("fileState" IN ('none', 'wanted', 'made', 'failed')),
    "shareFile" TEXT,
    "pictureFile" TEXT
  , "fileBegunAt" TEXT, "dislikeCount" INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX "clipsByLikes" ON "clips" ("videoId", "likeCount" DESC, "id" DESC);

CREATE INDEX "clipsByServing" ON "clips" ("fileBegunAt", "userId") WHERE "fileBegunAt" IS NOT NULL;

CREATE INDEX "clipsByTime" ON "clips" ("createdAt");

CREATE INDEX "clipsByUser" ON "clips" ("userId", "id" DESC);

CREATE INDEX "clipsWithoutFile" ON "clips" ("videoId", "id") WHERE "fileState" = 'wanted';

CREATE INDEX "wantedClipsByUser" ON "clips" ("userId") WHERE "fileState" = 'wanted';

CREATE TABLE "comments" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "content" TEXT NOT NULL,
    "likeCount" INTEGER NOT NULL DEFAULT 0,
    "dislikeCount" INTEGER NOT NULL DEFAULT 0,
    "parentId" INTEGER REFERENCES "comments" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    "editedAt" TEXT,
    "withheld" TEXT CHECK ("withheld" IN ('held', 'hidden', 'banned')),
    "isPinned" INTEGER NOT NULL DEFAULT 0 CHECK ("isPinned" IN (0, 1)),
    "isHearted" INTEGER NOT NULL DEFAULT 0 CHECK ("isHearted" IN (0, 1))
  , "clipId" INTEGER REFERENCES "clips" ("id") ON DELETE CASCADE, "postId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE
    CHECK (("videoId" IS NOT NULL) + ("postId" IS NOT NULL) = 1)
    CHECK ("clipId" IS NULL OR "videoId" IS NOT NULL)) STRICT;

CREATE INDEX "bestCommentsByClip" ON "comments" ("clipId", ("likeCount" - "dislikeCount") DESC, "id" DESC)
    WHERE "clipId" IS NOT NULL AND "parentId" IS NULL;

CREATE INDEX "bestCommentsByPost" ON "comments" ("postId", ("likeCount" - "dislikeCount") DESC, "id" DESC)
    WHERE "postId" IS NOT NULL AND "parentId" IS NULL;

CREATE INDEX "bestCommentsByVideo" ON "comments" ("videoId", ("likeCount" - "dislikeCount") DESC, "id" DESC)
    WHERE "parentId" IS NULL AND "clipId" IS NULL;

CREATE INDEX "commentsByClip" ON "comments" ("clipId", "createdAt" DESC, "id" DESC)
    WHERE "clipId" IS NOT NULL;

CREATE INDEX "commentsByTime" ON "comments" ("createdAt") WHERE "videoId" IS NOT NULL;

CREATE INDEX "commentsByUser" ON "comments" ("userId", "id");

CREATE INDEX "countedComments" ON "comments" ("videoId", "clipId", "withheld");

CREATE INDEX "countedCommentsByPost" ON "comments" ("postId", "withheld") WHERE "postId" IS NOT NULL;

CREATE INDEX "heldComments" ON "comments" ("createdAt", "id") WHERE "withheld" = 'held';

CREATE UNIQUE INDEX "pinnedByPost" ON "comments" ("postId") WHERE "isPinned" = 1 AND "postId" IS NOT NULL;

CREATE UNIQUE INDEX "pinnedByVideoAndClip" ON "comments" ("videoId", coalesce("clipId", 0))
    WHERE "isPinned" = 1 AND "videoId" IS NOT NULL;

CREATE INDEX "publicReplies" ON "comments" ("parentId")
    WHERE "parentId" IS NOT NULL AND "withheld" IS NULL;

CREATE INDEX "repliesByParent" ON "comments" ("parentId", "createdAt", "id")
    WHERE "parentId" IS NOT NULL;

CREATE INDEX "topCommentsByPost" ON "comments" ("postId", "createdAt" DESC, "id" DESC)
    WHERE "postId" IS NOT NULL AND "parentId" IS NULL;

CREATE INDEX "topCommentsByVideo" ON "comments" ("videoId", "createdAt" DESC, "id" DESC)
    WHERE "parentId" IS NULL AND "clipId" IS NULL;

CREATE INDEX "withheldReplies" ON "comments" ("parentId")
    WHERE "parentId" IS NOT NULL AND "withheld" IS NOT NULL;

CREATE TABLE "cuts" (
    "videoId" INTEGER PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE,
    "sourceVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "replaces" INTEGER NOT NULL CHECK ("replaces" IN (0, 1)),
    "parts" TEXT NOT NULL,
    "sourceMediaKey" TEXT NOT NULL DEFAULT '',
    "before" TEXT,
    "parkedAt" TEXT,
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE INDEX "cutsBySource" ON "cuts" ("sourceVideoId");

CREATE TABLE "dailyViews" (
    "day" TEXT NOT NULL,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "count" INTEGER NOT NULL,
    PRIMARY KEY ("day", "videoId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "dailyViewsByVideo" ON "dailyViews" ("videoId", "day");

CREATE TRIGGER "dayViewed" AFTER INSERT ON "dailyViews" BEGIN
    INSERT INTO "siteDays" ("day")
      SELECT NEW."day"
      WHERE NOT EXISTS (SELECT 1 FROM "siteDays" WHERE "day" = NEW."day");
    UPDATE "siteDays" SET "views" = "views" + NEW."count" WHERE "day" = NEW."day";
  END;

CREATE TRIGGER "dayViewedAgain" AFTER UPDATE OF "count" ON "dailyViews" BEGIN
    INSERT INTO "siteDays" ("day")
      SELECT NEW."day"
      WHERE NOT EXISTS (SELECT 1 FROM "siteDays" WHERE "day" = NEW."day");
    UPDATE "siteDays" SET "views" = "views" + NEW."count" - OLD."count" WHERE "day" = NEW."day";
  END;

CREATE TABLE "dataExportFiles" (
    "exportId" INTEGER NOT NULL REFERENCES "dataExports" ("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "mediaKey" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL, "crc32" INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY ("exportId", "number")
  ) STRICT;

CREATE TABLE "dataExportParts" (
    "exportId" INTEGER NOT NULL REFERENCES "dataExports" ("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "content" TEXT NOT NULL, "path" TEXT NOT NULL DEFAULT 'account.json', "crc32" INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY ("exportId", "number")
  ) STRICT;

CREATE TABLE "dataExports" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL UNIQUE REFERENCES "users" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('queued', 'running', 'done', 'failed')),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "percent" INTEGER NOT NULL DEFAULT 0,
    "runAfter" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "expiresAt" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "fileCount" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT
  , "format" TEXT NOT NULL DEFAULT 'clutch' CHECK ("format" IN ('clutch', 'peertube'))) STRICT;

CREATE TABLE "digests" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "every" TEXT NOT NULL CHECK ("every" IN ('day', 'week')),
    "nextAt" TEXT NOT NULL,
    "lastId" INTEGER NOT NULL
  ) STRICT;

CREATE INDEX "digestsByTime" ON "digests" ("nextAt");

CREATE TABLE "emailVerifications" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "address" TEXT NOT NULL,
    "expiresAt" TEXT NOT NULL
  ) STRICT;

CREATE INDEX "emailVerificationsByUser" ON "emailVerifications" ("userId");

CREATE TABLE "featuredChannels" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "channelId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "position" INTEGER NOT NULL,
    PRIMARY KEY ("userId", "channelId"),
    CHECK ("userId" <> "channelId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "featuredByChannel" ON "featuredChannels" ("channelId");

CREATE TABLE "fetches" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL DEFAULT 'queued' CHECK ("state" IN ('queued', 'same', 'done', 'failed')),
    "url" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "uploadId" TEXT UNIQUE,
    "validator" TEXT,
    "size" INTEGER,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "runAfter" TEXT NOT NULL,
    "allowsSame" INTEGER NOT NULL DEFAULT 0 CHECK ("allowsSame" IN (0, 1)),
    "problem" TEXT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE INDEX "fetchesByMember" ON "fetches" ("userId", "id");

CREATE INDEX "fetchesByTime" ON "fetches" ("runAfter", "id") WHERE "state" = 'queued';

CREATE INDEX "fetchesByVideo" ON "fetches" ("videoId") WHERE "videoId" IS NOT NULL;

CREATE TABLE "fileHashes" (
    "mediaKey" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    PRIMARY KEY ("mediaKey", "name")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "gameLooks" (
    "category" TEXT NOT NULL PRIMARY KEY,
    "colour" TEXT,
    "artUrl" TEXT,
    "isArchived" INTEGER NOT NULL DEFAULT 0 CHECK ("isArchived" IN (0, 1))
  ) STRICT;

CREATE TABLE "heat" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "slice" INTEGER NOT NULL CHECK ("slice" BETWEEN 0 AND 99),
    "seconds" REAL NOT NULL,
    PRIMARY KEY ("videoId", "slice")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "hiddenVideos" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    PRIMARY KEY ("userId", "videoId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "hiddenByVideo" ON "hiddenVideos" ("videoId");

CREATE TABLE "history" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "positionSeconds" REAL NOT NULL,
    "watchedAt" TEXT NOT NULL,
    PRIMARY KEY ("userId", "videoId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "historyByTime" ON "history" ("userId", "watchedAt" DESC, "videoId" DESC);

CREATE INDEX "historyByVideo" ON "history" ("videoId");

CREATE TABLE "identities" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "providerId" INTEGER NOT NULL REFERENCES "identityProviders" ("id") ON DELETE CASCADE,
    "subject" TEXT NOT NULL,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "name" TEXT NOT NULL,
    "avatar" TEXT,
    "refreshToken" TEXT,
    "grants" TEXT NOT NULL DEFAULT '[]',
    "createdAt" TEXT NOT NULL,
    "lastUsedAt" TEXT NOT NULL,
    "checkedAt" TEXT NOT NULL, "madeAccount" INTEGER NOT NULL DEFAULT 0 CHECK ("madeAccount" IN (0, 1)), "leftAt" TEXT,
    UNIQUE ("providerId", "subject"),
    UNIQUE ("userId", "providerId")
  ) STRICT;

CREATE INDEX "identitiesByCheck" ON "identities" ("checkedAt") WHERE "refreshToken" IS NOT NULL;

CREATE TABLE "identityProviders" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientSecret" TEXT,
    "makesAccounts" INTEGER NOT NULL DEFAULT 0 CHECK ("makesAccounts" IN (0, 1)),
    "takesProfile" INTEGER NOT NULL DEFAULT 0 CHECK ("takesProfile" IN (0, 1)),
    "guildId" TEXT,
    "roleRules" TEXT NOT NULL DEFAULT '[]',
    "isActive" INTEGER NOT NULL DEFAULT 1 CHECK ("isActive" IN (0, 1)),
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE TABLE "importedVideos" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "source" TEXT NOT NULL,
    "sourceId" TEXT NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('sending', 'published', 'done')),
    "uploadId" TEXT UNIQUE,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "publishedAt" TEXT NOT NULL,
    "viewCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    UNIQUE ("userId", "source", "sourceId")
  ) STRICT;

CREATE INDEX "importedVideosByVideo" ON "importedVideos" ("videoId");

CREATE TABLE "imports" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "given" TEXT NOT NULL,
    "options" TEXT NOT NULL DEFAULT '{}',
    "ownerId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "isFromDesk" INTEGER NOT NULL DEFAULT 0 CHECK ("isFromDesk" IN (0, 1)),
    "state" TEXT NOT NULL DEFAULT 'running' CHECK ("state" IN ('running', 'done', 'stopped', 'failed')),
    "isStopAsked" INTEGER NOT NULL DEFAULT 0 CHECK ("isStopAsked" IN (0, 1)),
    "startedAt" TEXT NOT NULL,
    "seenAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "progress" TEXT,
    "report" TEXT,
    "error" TEXT
  ) STRICT;

CREATE INDEX "importsByOwner" ON "imports" ("ownerId");

CREATE TABLE "inboxItems" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "folder" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "fileSize" INTEGER NOT NULL,
    "contentKey" TEXT,
    "state" TEXT NOT NULL CHECK ("state" IN ('new', 'queued', 'published', 'dismissed', 'unusable')),
    "problem" TEXT,
    "isMissing" INTEGER NOT NULL DEFAULT 0 CHECK ("isMissing" IN (0, 1)),
    "missingSince" TEXT,
    "game" TEXT,
    "recordedAt" TEXT NOT NULL,
    "duration" INTEGER NOT NULL DEFAULT 0,
    "width" INTEGER,
    "height" INTEGER,
    "duplicateVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "duplicateItemId" INTEGER REFERENCES "inboxItems" ("id") ON DELETE SET NULL,
    "details" TEXT,
    "uploadId" TEXT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "original" TEXT NOT NULL DEFAULT 'there' CHECK ("original" IN ('there', 'leaving', 'removed')),
    "foundAt" TEXT NOT NULL,
    "changedAt" TEXT NOT NULL,
    UNIQUE ("folder", "path")
  ) STRICT;

CREATE INDEX "inboxItemsByContent" ON "inboxItems" ("contentKey");

CREATE INDEX "inboxItemsByDuplicateItem" ON "inboxItems" ("duplicateItemId");

CREATE INDEX "inboxItemsByDuplicateVideo" ON "inboxItems" ("duplicateVideoId");

CREATE INDEX "inboxItemsByOwner" ON "inboxItems" ("userId", "state", "recordedAt", "id");

CREATE INDEX "inboxItemsByState" ON "inboxItems" ("state", "changedAt", "id");

CREATE INDEX "inboxItemsByVideo" ON "inboxItems" ("videoId");

CREATE INDEX "inboxItemsLeaving" ON "inboxItems" ("state", "original", "id") WHERE "original" = 'leaving';

CREATE INDEX "inboxItemsLost" ON "inboxItems" ("state", "original", "missingSince") WHERE "missingSince" IS NOT NULL;

CREATE INDEX "inboxItemsPresent" ON "inboxItems" ("folder", "id") WHERE "isMissing" = 0;

CREATE INDEX "inboxItemsWithoutVideo" ON "inboxItems" ("state", "videoId", "id") WHERE "state" = 'published' AND "videoId" IS NULL;

CREATE TABLE "inboxPictures" (
    "itemId" INTEGER PRIMARY KEY REFERENCES "inboxItems" ("id") ON DELETE CASCADE,
    "jpeg" BLOB NOT NULL
  ) STRICT;

CREATE TABLE "inboxSettings" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "isPaused" INTEGER NOT NULL DEFAULT 0 CHECK ("isPaused" IN (0, 1)),
    "originals" TEXT NOT NULL DEFAULT 'copy' CHECK ("originals" IN ('copy', 'move', 'link')),
    "whenDeleted" TEXT NOT NULL DEFAULT 'keep' CHECK ("whenDeleted" IN ('keep', 'delete')),
    "whenMissing" TEXT NOT NULL DEFAULT 'keep' CHECK ("whenMissing" IN ('keep', 'delete')),
    "rules" TEXT NOT NULL DEFAULT '[]',
    "status" TEXT,
    "problem" TEXT
  ) STRICT;

CREATE TABLE "invites" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "codeHash" TEXT NOT NULL UNIQUE,
    "usesMax" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "expiresAt" TEXT,
    "note" TEXT NOT NULL DEFAULT '',
    "createdBy" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "createdAt" TEXT NOT NULL,
    "revokedAt" TEXT
  ) STRICT;

CREATE INDEX "invitesByCreator" ON "invites" ("createdBy");

CREATE TABLE "jobLog" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "jobId" INTEGER NOT NULL REFERENCES "jobs" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    "text" TEXT NOT NULL
  ) STRICT;

CREATE INDEX "jobLogByJob" ON "jobLog" ("jobId", "id");

CREATE TABLE "jobs" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('queued', 'running', 'done', 'failed')),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "interruptions" INTEGER NOT NULL DEFAULT 0,
    "percent" REAL NOT NULL DEFAULT 0,
    "error" TEXT,
    "runAfter" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "startedAt" TEXT,
    "finishedAt" TEXT,
    "step" TEXT,
    "speed" REAL,
    "secondsLeft" REAL, "workerId" INTEGER REFERENCES "workers"("id") ON DELETE SET NULL, "leaseUntil" TEXT, "nodeId" TEXT, "makerId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    UNIQUE ("videoId", "kind")
  ) STRICT;

CREATE INDEX "jobsByMaker" ON "jobs" ("makerId") WHERE "makerId" IS NOT NULL;

CREATE INDEX "jobsByState" ON "jobs" ("state", "runAfter", "id");

CREATE INDEX "jobsByWorker" ON "jobs" ("workerId") WHERE "workerId" IS NOT NULL;

CREATE TABLE "likes" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE CASCADE,
    "clipId" INTEGER REFERENCES "clips" ("id") ON DELETE CASCADE,
    "commentId" INTEGER REFERENCES "comments" ("id") ON DELETE CASCADE,
    "postId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE,
    "isLike" INTEGER NOT NULL CHECK ("isLike" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    CHECK (("videoId" IS NOT NULL) + ("clipId" IS NOT NULL) + ("commentId" IS NOT NULL)
      + ("postId" IS NOT NULL) = 1)
  ) STRICT;

CREATE INDEX "likedVideos" ON "likes" ("userId", "createdAt" DESC, "videoId" DESC)
    WHERE "videoId" IS NOT NULL AND "isLike" = 1;

CREATE UNIQUE INDEX "likesByClip" ON "likes" ("clipId", "userId") WHERE "clipId" IS NOT NULL;

CREATE INDEX "likesByComment" ON "likes" ("commentId") WHERE "commentId" IS NOT NULL;

CREATE UNIQUE INDEX "likesByPost" ON "likes" ("postId", "userId") WHERE "postId" IS NOT NULL;

CREATE INDEX "likesByTime" ON "likes" ("createdAt") WHERE "videoId" IS NOT NULL AND "isLike" = 1;

CREATE INDEX "likesByUser" ON "likes" ("userId");

CREATE UNIQUE INDEX "likesByUserAndComment" ON "likes" ("userId", "commentId")
    WHERE "commentId" IS NOT NULL;

CREATE UNIQUE INDEX "likesByUserAndVideo" ON "likes" ("userId", "videoId")
    WHERE "videoId" IS NOT NULL;

CREATE INDEX "likesByVideo" ON "likes" ("videoId") WHERE "videoId" IS NOT NULL;

CREATE TRIGGER "videoLikeFlipped" AFTER UPDATE OF "isLike", "createdAt" ON "likes"
    WHEN NEW."videoId" IS NOT NULL BEGIN
    UPDATE "videoDays"
      SET "likes" = "likes" - OLD."isLike"
      WHERE "videoId" = OLD."videoId" AND "day" = substr(OLD."createdAt", 1, 10);
    INSERT INTO "videoDays" ("videoId", "day")
      SELECT NEW."videoId", substr(NEW."createdAt", 1, 10)
      WHERE NOT EXISTS (SELECT 1 FROM "videoDays" WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10));
    UPDATE "videoDays"
      SET "likes" = "likes" + NEW."isLike"
      WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10);
  END;

CREATE TRIGGER "videoLiked" AFTER INSERT ON "likes"
    WHEN NEW."videoId" IS NOT NULL AND NEW."isLike" = 1 BEGIN
    INSERT INTO "videoDays" ("videoId", "day")
      SELECT NEW."videoId", substr(NEW."createdAt", 1, 10)
      WHERE NOT EXISTS (SELECT 1 FROM "videoDays" WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10));
    UPDATE "videoDays"
      SET "likes" = "likes" + 1
      WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10);
  END;

CREATE TRIGGER "videoUnliked" AFTER DELETE ON "likes"
    WHEN OLD."videoId" IS NOT NULL AND OLD."isLike" = 1 BEGIN
    UPDATE "videoDays"
      SET "likes" = "likes" - 1
      WHERE "videoId" = OLD."videoId" AND "day" = substr(OLD."createdAt", 1, 10);
  END;

CREATE TABLE "longWork" (
    "kind" TEXT NOT NULL,
    "targetId" INTEGER NOT NULL,
    "reachedId" INTEGER NOT NULL DEFAULT 0,
    "lastId" INTEGER,
    PRIMARY KEY ("kind", "targetId")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "mails" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "data" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT
  ) STRICT;

CREATE INDEX "mailsByTime" ON "mails" ("nextAt", "id");

CREATE INDEX "mailsByUser" ON "mails" ("userId");

CREATE TABLE "mediaFiles" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL
      CHECK ("kind" IN ('video', 'rendition', 'playlist', 'sound', 'picture', 'storyboard', 'share', 'captions')),
    "bytes" INTEGER,
    "retiredAt" TEXT, "sha256" TEXT, "makerId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    PRIMARY KEY ("videoId", "name")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "mediaFilesByMaker" ON "mediaFiles" ("makerId", "bytes") WHERE "makerId" IS NOT NULL;

CREATE INDEX "retiredMediaFiles" ON "mediaFiles" ("retiredAt") WHERE "retiredAt" IS NOT NULL;

CREATE TRIGGER "mediaFileAdded" AFTER INSERT ON "mediaFiles" BEGIN
    INSERT INTO "storageTotals" ("kind", "bytes")
      SELECT NEW."kind", 0
      WHERE NOT EXISTS (SELECT 1 FROM "storageTotals" WHERE "kind" = NEW."kind");
    UPDATE "storageTotals"
      SET "bytes" = "bytes" + coalesce(NEW."bytes", 0)
      WHERE "kind" = NEW."kind";
    UPDATE "videos"
      SET "listedBytes" = "listedBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId";
    UPDATE "videos"
      SET "clipBytes" = "clipBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NOT NULL;
    UPDATE "videos"
      SET "captionBytes" = "captionBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NULL AND NEW."kind" = 'captions';
    UPDATE "videos"
      SET "pictureBytes" = "pictureBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NULL AND NEW."kind" = 'picture';
    UPDATE "videos"
      SET "shareBytes" = "shareBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NULL AND NEW."kind" = 'share';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."makerId";
  END;

CREATE TRIGGER "mediaFileChanged" AFTER UPDATE OF "kind", "bytes", "makerId" ON "mediaFiles" BEGIN
    INSERT INTO "storageTotals" ("kind", "bytes")
      SELECT OLD."kind", 0
      WHERE NOT EXISTS (SELECT 1 FROM "storageTotals" WHERE "kind" = OLD."kind");
    UPDATE "storageTotals"
      SET "bytes" = "bytes" - coalesce(OLD."bytes", 0)
      WHERE "kind" = OLD."kind";
    UPDATE "videos"
      SET "listedBytes" = "listedBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId";
    UPDATE "videos"
      SET "clipBytes" = "clipBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NOT NULL;
    UPDATE "videos"
      SET "captionBytes" = "captionBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NULL AND OLD."kind" = 'captions';
    UPDATE "videos"
      SET "pictureBytes" = "pictureBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NULL AND OLD."kind" = 'picture';
    UPDATE "videos"
      SET "shareBytes" = "shareBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NULL AND OLD."kind" = 'share';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."makerId";
    INSERT INTO "storageTotals" ("kind", "bytes")
      SELECT NEW."kind", 0
      WHERE NOT EXISTS (SELECT 1 FROM "storageTotals" WHERE "kind" = NEW."kind");
    UPDATE "storageTotals"
      SET "bytes" = "bytes" + coalesce(NEW."bytes", 0)
      WHERE "kind" = NEW."kind";
    UPDATE "videos"
      SET "listedBytes" = "listedBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId";
    UPDATE "videos"
      SET "clipBytes" = "clipBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NOT NULL;
    UPDATE "videos"
      SET "captionBytes" = "captionBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NULL AND NEW."kind" = 'captions';
    UPDATE "videos"
      SET "pictureBytes" = "pictureBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NULL AND NEW."kind" = 'picture';
    UPDATE "videos"
      SET "shareBytes" = "shareBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."videoId" AND NEW."makerId" IS NULL AND NEW."kind" = 'share';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + coalesce(NEW."bytes", 0)
      WHERE "id" = NEW."makerId";
  END;

CREATE TRIGGER "mediaFileRemoved" AFTER DELETE ON "mediaFiles" BEGIN
    INSERT INTO "storageTotals" ("kind", "bytes")
      SELECT OLD."kind", 0
      WHERE NOT EXISTS (SELECT 1 FROM "storageTotals" WHERE "kind" = OLD."kind");
    UPDATE "storageTotals"
      SET "bytes" = "bytes" - coalesce(OLD."bytes", 0)
      WHERE "kind" = OLD."kind";
    UPDATE "videos"
      SET "listedBytes" = "listedBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId";
    UPDATE "videos"
      SET "clipBytes" = "clipBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NOT NULL;
    UPDATE "videos"
      SET "captionBytes" = "captionBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NULL AND OLD."kind" = 'captions';
    UPDATE "videos"
      SET "pictureBytes" = "pictureBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NULL AND OLD."kind" = 'picture';
    UPDATE "videos"
      SET "shareBytes" = "shareBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."videoId" AND OLD."makerId" IS NULL AND OLD."kind" = 'share';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" - coalesce(OLD."bytes", 0)
      WHERE "id" = OLD."makerId";
  END;

CREATE TABLE "moments" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "source" TEXT NOT NULL CHECK ("source" IN ('mark', 'chapter', 'loud', 'scene', 'forgotten')),
    "atSeconds" REAL NOT NULL CHECK ("atSeconds" >= 0),
    "weight" REAL NOT NULL CHECK ("weight" > 0 AND "weight" <= 1),
    "title" TEXT,
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE INDEX "momentsByUser" ON "moments" ("userId", "videoId") WHERE "userId" IS NOT NULL;

CREATE INDEX "momentsByVideo" ON "moments" ("videoId", "atSeconds");

CREATE TABLE "montages" (
    "videoId" INTEGER PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE,
    "items" TEXT NOT NULL,
    "transition" TEXT NOT NULL CHECK ("transition" IN ('fade', 'cut')),
    "titleCard" INTEGER NOT NULL CHECK ("titleCard" IN (0, 1)),
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE TABLE "mutedNotifications" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "kind" TEXT NOT NULL, "mutes" TEXT NOT NULL DEFAULT 'all'
    CHECK ("mutes" IN ('all', 'push')),
    PRIMARY KEY ("userId", "kind")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "nodes" (
    "id" TEXT PRIMARY KEY NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "startedAt" TEXT NOT NULL,
    "seenAt" TEXT NOT NULL,
    "isDraining" INTEGER NOT NULL DEFAULT 0 CHECK ("isDraining" IN (0, 1))
  , "problem" TEXT) STRICT;

CREATE TABLE "notifications" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "type" TEXT NOT NULL
      CHECK ("type" IN ('comment', 'comment_reply', 'video_comment', 'subscription', 'new_subscriber', 'upload', 'like')),
    "title" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "sourceUserId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE CASCADE,
    "commentId" INTEGER REFERENCES "comments" ("id") ON DELETE CASCADE,
    "sourceCount" INTEGER NOT NULL DEFAULT 1,
    "read" INTEGER NOT NULL DEFAULT 0 CHECK ("read" IN (0, 1)),
    "createdAt" TEXT NOT NULL
  , "postId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE, "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE CASCADE, "groupKey" TEXT, "groupText" TEXT, "kind" TEXT) STRICT;

CREATE INDEX "notificationsByComment" ON "notifications" ("commentId");

CREATE INDEX "notificationsByGroup" ON "notifications" ("userId", "groupKey", "id") WHERE "groupKey" IS NOT NULL;

CREATE INDEX "notificationsByPost" ON "notifications" ("postId") WHERE "postId" IS NOT NULL;

CREATE INDEX "notificationsBySource" ON "notifications" ("sourceUserId");

CREATE INDEX "notificationsBySquad" ON "notifications" ("squadId") WHERE "squadId" IS NOT NULL;

CREATE INDEX "notificationsByType" ON "notifications" ("userId", "type", "createdAt" DESC, "id" DESC);

CREATE INDEX "notificationsByUser" ON "notifications" ("userId", "createdAt" DESC, "id" DESC);

CREATE INDEX "notificationsByVideo" ON "notifications" ("videoId", "type", "id");

CREATE INDEX "notificationsOfSquads" ON "notifications" ("userId", "createdAt" DESC, "id" DESC) WHERE "squadId" IS NOT NULL;

CREATE INDEX "unreadNotifications" ON "notifications" ("userId", "id") WHERE "read" = 0;

CREATE TRIGGER "pushOfNotification" AFTER INSERT ON "notifications" BEGIN
    INSERT INTO "pushes" ("subscriptionId", "notificationId", "createdAt", "nextAt")
      SELECT "id", NEW."id", NEW."createdAt", NEW."createdAt" FROM "pushSubscriptions"
      WHERE "userId" = NEW."userId";
  END;

CREATE TABLE "participants" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('named', 'removed', 'left')),
    PRIMARY KEY ("videoId", "userId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "participantsByUser" ON "participants" ("userId", "state");

CREATE TABLE "passkeys" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "credentialId" TEXT NOT NULL UNIQUE,
    "userHandle" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "transports" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "isBackedUp" INTEGER NOT NULL CHECK ("isBackedUp" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    "lastUsedAt" TEXT
  ) STRICT;

CREATE INDEX "passkeysByUser" ON "passkeys" ("userId");

CREATE TABLE "passwordResets" (
    "tokenHash" TEXT PRIMARY KEY,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    "expiresAt" TEXT NOT NULL
  , "mailedTo" TEXT) STRICT, WITHOUT ROWID;

CREATE INDEX "passwordResetsByUser" ON "passwordResets" ("userId");

CREATE TABLE "playlistItems" (
    "playlistId" INTEGER NOT NULL REFERENCES "playlists" ("id") ON DELETE CASCADE,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "position" INTEGER NOT NULL,
    "addedAt" TEXT NOT NULL,
    PRIMARY KEY ("playlistId", "videoId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "playlistItemsByPosition" ON "playlistItems" ("playlistId", "position");

CREATE INDEX "playlistItemsByVideo" ON "playlistItems" ("videoId");

CREATE TABLE "playlistMembers" (
    "playlistId" INTEGER NOT NULL REFERENCES "playlists" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    PRIMARY KEY ("playlistId", "userId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "playlistMembersByUser" ON "playlistMembers" ("userId");

CREATE TABLE "playlists" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('list', 'watch-later')),
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "createdAt" TEXT NOT NULL,
    "updatedAt" TEXT NOT NULL
  , "visibility" TEXT NOT NULL DEFAULT 'public' CHECK ("visibility" IN ('public', 'members', 'unlisted', 'private'))) STRICT;

CREATE INDEX "playlistsByUser" ON "playlists" ("userId", "updatedAt" DESC, "id" DESC);

CREATE UNIQUE INDEX "watchLaterByUser" ON "playlists" ("userId") WHERE "kind" = 'watch-later';

CREATE TABLE "posts" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "channelId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "content" TEXT NOT NULL,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "likeCount" INTEGER NOT NULL DEFAULT 0,
    "dislikeCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    "editedAt" TEXT,
    "withheld" TEXT CHECK ("withheld" IN ('held', 'hidden', 'banned'))
  , "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE CASCADE, "clipId" INTEGER REFERENCES "clips" ("id") ON DELETE SET NULL) STRICT;

CREATE INDEX "heldPosts" ON "posts" ("createdAt", "id") WHERE "withheld" = 'held';

CREATE INDEX "postsByChannel" ON "posts" ("channelId", "createdAt" DESC, "id" DESC);

CREATE INDEX "postsByClip" ON "posts" ("clipId") WHERE "clipId" IS NOT NULL;

CREATE INDEX "postsBySquad" ON "posts" ("squadId", "createdAt" DESC, "id" DESC) WHERE "squadId" IS NOT NULL;

CREATE INDEX "postsByVideo" ON "posts" ("videoId") WHERE "videoId" IS NOT NULL;

CREATE TABLE "pushSubscriptions" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "sessionId" TEXT NOT NULL REFERENCES "sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    "endpoint" TEXT NOT NULL UNIQUE,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "userAgent" TEXT,
    "createdAt" TEXT NOT NULL,
    "sentAt" TEXT
  ) STRICT;

CREATE INDEX "pushSubscriptionsByMember" ON "pushSubscriptions" ("userId", "id");

CREATE INDEX "pushSubscriptionsBySession" ON "pushSubscriptions" ("sessionId");

CREATE TABLE "pushes" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "subscriptionId" INTEGER NOT NULL REFERENCES "pushSubscriptions" ("id") ON DELETE CASCADE,
    "notificationId" INTEGER NOT NULL REFERENCES "notifications" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT
  ) STRICT;

CREATE INDEX "pushesByNotification" ON "pushes" ("notificationId");

CREATE INDEX "pushesBySubscription" ON "pushes" ("subscriptionId", "id");

CREATE INDEX "pushesByTime" ON "pushes" ("nextAt", "id");

CREATE TABLE "quietHours" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "fromMinute" INTEGER NOT NULL CHECK ("fromMinute" BETWEEN 0 AND 1439),
    "toMinute" INTEGER NOT NULL CHECK ("toMinute" BETWEEN 0 AND 1439),
    "timeZone" TEXT NOT NULL
  ) STRICT;

CREATE TABLE "rateCounts" (
    "key" TEXT PRIMARY KEY NOT NULL,
    "count" INTEGER NOT NULL,
    "endsAt" INTEGER NOT NULL
  ) STRICT;

CREATE INDEX "rateCountsByEnd" ON "rateCounts" ("endsAt");

CREATE TABLE "reactionCounts" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "second" INTEGER NOT NULL,
    "fire" INTEGER NOT NULL DEFAULT 0,
    "laugh" INTEGER NOT NULL DEFAULT 0,
    "wow" INTEGER NOT NULL DEFAULT 0,
    "heart" INTEGER NOT NULL DEFAULT 0,
    "skull" INTEGER NOT NULL DEFAULT 0,
    "gg" INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY ("videoId", "second")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "recoveryCodes" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "codeHash" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    PRIMARY KEY ("userId", "codeHash")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "renditions" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "name" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "frameRate" REAL NOT NULL,
    "bandwidth" INTEGER NOT NULL,
    "averageBandwidth" INTEGER NOT NULL,
    "codecs" TEXT NOT NULL,
    "copied" INTEGER NOT NULL CHECK ("copied" IN (0, 1)),
    PRIMARY KEY ("videoId", "name")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "reports" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "reporterId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('video', 'comment', 'channel', 'post')),
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "commentId" INTEGER REFERENCES "comments" ("id") ON DELETE SET NULL,
    "channelId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "postId" INTEGER REFERENCES "posts" ("id") ON DELETE SET NULL,
    "subject" TEXT NOT NULL,
    "accusedId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('open', 'resolved', 'dismissed')),
    "createdAt" TEXT NOT NULL,
    "closedAt" TEXT,
    "closedBy" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    CHECK (("videoId" IS NOT NULL) + ("commentId" IS NOT NULL) + ("channelId" IS NOT NULL)
      + ("postId" IS NOT NULL) <= 1)
  ) STRICT;

CREATE UNIQUE INDEX "openReportByTarget" ON "reports" ("reporterId", coalesce("videoId", 0),
      coalesce("commentId", 0), coalesce("channelId", 0), coalesce("postId", 0))
    WHERE "state" = 'open' AND ("videoId" IS NOT NULL OR "commentId" IS NOT NULL
      OR "channelId" IS NOT NULL OR "postId" IS NOT NULL);

CREATE INDEX "reportsByAccused" ON "reports" ("accusedId");

CREATE INDEX "reportsByChannel" ON "reports" ("channelId");

CREATE INDEX "reportsByCloser" ON "reports" ("closedBy");

CREATE INDEX "reportsByComment" ON "reports" ("commentId");

CREATE INDEX "reportsByPost" ON "reports" ("postId");

CREATE INDEX "reportsByReporter" ON "reports" ("reporterId");

CREATE INDEX "reportsByState" ON "reports" ("state", "createdAt" DESC, "id" DESC);

CREATE INDEX "reportsByVideo" ON "reports" ("videoId");

CREATE TABLE "restoreDrills" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "state" TEXT NOT NULL CHECK ("state" IN ('running', 'done', 'failed')),
    "startedAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "backupName" TEXT,
    "isOffsite" INTEGER NOT NULL CHECK ("isOffsite" IN (0, 1)),
    "bytes" INTEGER,
    "files" INTEGER,
    "videos" INTEGER,
    "error" TEXT
  ) STRICT;

CREATE TABLE "searchOutbox" (
    "kind" TEXT NOT NULL CHECK ("kind" IN ('video', 'channel')),
    "id" INTEGER NOT NULL,
    "reachedId" INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY ("kind", "id")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "searchState" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "changes" INTEGER NOT NULL
  , "wordsFormat" INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE "searchTags" (
    "tag" TEXT PRIMARY KEY,
    "videoCount" INTEGER NOT NULL,
    "publicCount" INTEGER NOT NULL
  , "plainName" TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE INDEX "searchTagsByPlainName" ON "searchTags" ("plainName", "tag");

CREATE TABLE "searchTerms" (
    "term" TEXT PRIMARY KEY,
    "videoCount" INTEGER NOT NULL
  , "publicCount" INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE TABLE "searchedVideos" (
    "videoId" INTEGER PRIMARY KEY,
    "words" TEXT NOT NULL
  , "visibility" TEXT NOT NULL DEFAULT 'public'
    CHECK ("visibility" IN ('public', 'members')), "tags" TEXT NOT NULL DEFAULT '[]') STRICT;

CREATE TABLE "secondFactorNotices" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "requiredFrom" TEXT NOT NULL
  ) STRICT;

CREATE TABLE "sessions" (
    "id" TEXT PRIMARY KEY,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "expiresAt" INTEGER NOT NULL,
    "rememberMe" INTEGER NOT NULL CHECK ("rememberMe" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    "userAgent" TEXT,
    "confirmedAt" TEXT
  , "method" TEXT NOT NULL DEFAULT 'password', "address" TEXT, "lastUsedAt" TEXT, "providerId" INTEGER REFERENCES "identityProviders" ("id") ON DELETE SET NULL, "providerSession" TEXT) STRICT;

CREATE INDEX "sessionsByExpiry" ON "sessions" ("expiresAt");

CREATE INDEX "sessionsByProvider" ON "sessions" ("providerId", "providerSession") WHERE "providerId" IS NOT NULL;

CREATE INDEX "sessionsByUser" ON "sessions" ("userId");

CREATE TABLE "shareLinks" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE CASCADE,
    "playlistId" INTEGER REFERENCES "playlists" ("id") ON DELETE CASCADE,
    "tokenHash" TEXT NOT NULL UNIQUE,
    "note" TEXT NOT NULL DEFAULT '',
    "passwordHash" TEXT,
    "expiresAt" TEXT,
    "maxViews" INTEGER CHECK ("maxViews" > 0),
    "views" INTEGER NOT NULL DEFAULT 0,
    "createdBy" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    "lastUsedAt" TEXT,
    "revokedAt" TEXT,
    CHECK (("videoId" IS NULL) <> ("playlistId" IS NULL))
  ) STRICT;

CREATE INDEX "shareLinksByCreator" ON "shareLinks" ("createdBy");

CREATE INDEX "shareLinksByPlaylist" ON "shareLinks" ("playlistId", "id" DESC) WHERE "playlistId" IS NOT NULL;

CREATE INDEX "shareLinksByVideo" ON "shareLinks" ("videoId", "id" DESC) WHERE "videoId" IS NOT NULL;

CREATE TABLE "signInSettings" (
    "id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1),
    "passwordMin" INTEGER NOT NULL DEFAULT 6,
    "passwordsFor" TEXT NOT NULL DEFAULT 'everybody',
    "providersFirst" INTEGER NOT NULL DEFAULT 0 CHECK ("providersFirst" IN (0, 1)),
    "secondFactorFor" TEXT NOT NULL DEFAULT 'nobody',
    "secondFactorFrom" TEXT,
    "needsHttps" INTEGER NOT NULL DEFAULT 0 CHECK ("needsHttps" IN (0, 1))
  ) STRICT;

CREATE TABLE "signInSteps" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "data" TEXT NOT NULL,
    "expiresAt" TEXT NOT NULL
  ) STRICT;

CREATE INDEX "signInStepsByExpiry" ON "signInSteps" ("expiresAt");

CREATE INDEX "signInStepsByUser" ON "signInSteps" ("userId");

CREATE TABLE "siteChecks" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "state" TEXT NOT NULL CHECK ("state" IN ('running', 'done', 'failed')),
    "startedAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "percent" REAL NOT NULL DEFAULT 0,
    "videos" INTEGER,
    "files" INTEGER,
    "problemCount" INTEGER,
    "problems" TEXT NOT NULL DEFAULT '[]',
    "error" TEXT
  ) STRICT;

CREATE TABLE "siteDays" (
    "day" TEXT PRIMARY KEY,
    "views" INTEGER NOT NULL DEFAULT 0,
    "storageBytes" INTEGER
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "siteSettings" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "name" TEXT NOT NULL,
    "uploadsNeedApproval" INTEGER NOT NULL DEFAULT 0 CHECK ("uploadsNeedApproval" IN (0, 1)),
    "viewerSecret" TEXT NOT NULL,
    "tagline" TEXT NOT NULL DEFAULT 'Your video sharing platform',
    "accent" TEXT,
    "logoUrl" TEXT,
    "rules" TEXT NOT NULL DEFAULT '',
    "registration" TEXT NOT NULL DEFAULT 'open' CHECK ("registration" IN ('open', 'invite', 'closed')),
    "extraCategories" TEXT NOT NULL DEFAULT '[]',
    "maxVideoBytes" INTEGER,
    "maxThumbnailBytes" INTEGER,
    "anonymousByDefault" INTEGER NOT NULL DEFAULT 0 CHECK ("anonymousByDefault" IN (0, 1)),
    "discordEmbedByDefault" INTEGER NOT NULL DEFAULT 1 CHECK ("discordEmbedByDefault" IN (0, 1)),
    "heldWords" TEXT NOT NULL DEFAULT '[]',
    "holdLinks" INTEGER NOT NULL DEFAULT 0 CHECK ("holdLinks" IN (0, 1)),
    "newMemberDays" INTEGER NOT NULL DEFAULT 7,
    "newMemberComments" INTEGER NOT NULL DEFAULT 3,
    "backupHour" INTEGER CHECK ("backupHour" BETWEEN 0 AND 23),
    "backupsKept" INTEGER NOT NULL DEFAULT 7,
    "setupCodeHash" TEXT
  , "notice" TEXT NOT NULL DEFAULT '', "pinnedVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL, "defaultVisibility" TEXT NOT NULL DEFAULT 'public'
    CHECK ("defaultVisibility" IN ('public', 'members', 'unlisted', 'private')), "audience" TEXT NOT NULL DEFAULT 'everybody'
    CHECK ("audience" IN ('everybody', 'members')), "allowsDownloads" INTEGER NOT NULL DEFAULT 0
    CHECK ("allowsDownloads" IN (0, 1)), "setupSteps" TEXT NOT NULL DEFAULT '{}', "lastRunVersion" TEXT, "previousVersion" TEXT, "asksForUpdates" INTEGER NOT NULL DEFAULT 0
    CHECK ("asksForUpdates" IN (0, 1)), "updateAddress" TEXT NOT NULL DEFAULT '', "updateAskedAt" TEXT, "updateAnswer" TEXT, "neededMigration" TEXT, "storeRecords" TEXT, "welcome" TEXT NOT NULL DEFAULT '', "localHosts" TEXT NOT NULL DEFAULT '[]', "vapidKeys" TEXT, "fetchesAddresses" INTEGER NOT NULL DEFAULT 0
    CHECK ("fetchesAddresses" IN (0, 1))) STRICT;

CREATE INDEX "siteSettingsByPinnedVideo" ON "siteSettings" ("pinnedVideoId");

CREATE TABLE "soundMixes" (
    "videoId" INTEGER PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE,
    "wanted" TEXT,
    "made" TEXT
  ) STRICT;

CREATE TABLE "soundNames" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "name" TEXT,
    "kind" TEXT CHECK ("kind" IN ('game', 'voice', 'chat', 'music')),
    PRIMARY KEY ("videoId", "number")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "soundTracks" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "file" TEXT NOT NULL,
    "language" TEXT,
    PRIMARY KEY ("videoId", "number")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "squadInvites" (
    "squadId" INTEGER NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    PRIMARY KEY ("squadId", "userId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "squadInvitesByUser" ON "squadInvites" ("userId");

CREATE TABLE "squadMembers" (
    "squadId" INTEGER NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "role" TEXT NOT NULL CHECK ("role" IN ('owner', 'officer', 'member')),
    "joinedAt" TEXT NOT NULL, "openedAt" TEXT,
    PRIMARY KEY ("squadId", "userId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "squadMembersByUser" ON "squadMembers" ("userId", "squadId");

CREATE UNIQUE INDEX "squadOwners" ON "squadMembers" ("squadId") WHERE "role" = 'owner';

CREATE TABLE "squadRemovals" (
    "squadId" INTEGER NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "removedAt" TEXT NOT NULL,
    PRIMARY KEY ("squadId", "userId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "squadRemovalsByUser" ON "squadRemovals" ("userId");

CREATE TABLE "squadRequests" (
    "squadId" INTEGER NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    PRIMARY KEY ("squadId", "userId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "squadRequestsByUser" ON "squadRequests" ("userId");

CREATE TABLE "squadViewVideos" (
    "squadViewId" INTEGER NOT NULL REFERENCES "squadViews" ("id") ON DELETE CASCADE,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('in', 'asked', 'offered', 'declined')),
    "alignment" TEXT NOT NULL CHECK ("alignment" IN ('waiting', 'sound', 'hand', 'none')),
    "offsetSeconds" REAL,
    "mediaKey" TEXT NOT NULL,
    PRIMARY KEY ("squadViewId", "videoId"),
    CHECK (("offsetSeconds" IS NOT NULL) = ("alignment" IN ('sound', 'hand')))
  ) STRICT;

CREATE UNIQUE INDEX "squadViewOfVideo" ON "squadViewVideos" ("videoId") WHERE "state" = 'in';

CREATE INDEX "squadViewVideosByVideo" ON "squadViewVideos" ("videoId");

CREATE TABLE "squadViews" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE TABLE "squads" (
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
  ) STRICT;

CREATE INDEX "squadsBySize" ON "squads" ("memberCount" DESC, "id" DESC) WHERE "deletedAt" IS NULL;

CREATE TABLE "storageTotals" (
    "kind" TEXT PRIMARY KEY,
    "bytes" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "subscriptions" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "subscriberId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "channelId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "subscribedAt" TEXT NOT NULL,
    UNIQUE ("subscriberId", "channelId"),
    CHECK ("subscriberId" <> "channelId")
  ) STRICT;

CREATE INDEX "subscriptionsByChannel" ON "subscriptions" ("channelId", "subscriberId");

CREATE TABLE "timeCodes" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "secret" TEXT NOT NULL,
    "lastStep" INTEGER NOT NULL,
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE TABLE "uploadChunks" (
    "uploadId" TEXT NOT NULL REFERENCES "uploads" ("id") ON DELETE CASCADE,
    "chunkIndex" INTEGER NOT NULL,
    "hash" BLOB NOT NULL,
    PRIMARY KEY ("uploadId", "chunkIndex")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "uploads" (
    "id" TEXT PRIMARY KEY,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('receiving', 'finalizing', 'completed', 'failed', 'expired')),
    "fileName" TEXT NOT NULL,
    "fileSize" INTEGER NOT NULL,
    "chunkCount" INTEGER NOT NULL,
    "mediaKey" TEXT NOT NULL UNIQUE,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "tags" TEXT NOT NULL,
    "isAnonymous" INTEGER NOT NULL CHECK ("isAnonymous" IN (0, 1)),
    "thumbnailUrl" TEXT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "failure" TEXT,
    "prepared" TEXT,
    "createdAt" TEXT NOT NULL,
    "touchedAt" TEXT NOT NULL
  , "visibility" TEXT CHECK ("visibility" IN ('public', 'members', 'unlisted', 'private')), "replacesVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL, "participants" TEXT NOT NULL DEFAULT '[]', "thumbnailBytes" INTEGER NOT NULL DEFAULT 0, "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE SET NULL, "isFromInbox" INTEGER NOT NULL DEFAULT 0 CHECK ("isFromInbox" IN (0, 1)), "reservedVideoId" INTEGER, "aliveAt" TEXT) STRICT;

CREATE INDEX "uploadsByFileSize" ON "uploads" ("fileSize");

CREATE INDEX "uploadsByReplaced" ON "uploads" ("replacesVideoId") WHERE "replacesVideoId" IS NOT NULL;

CREATE UNIQUE INDEX "uploadsByReservedVideo" ON "uploads" ("reservedVideoId") WHERE "reservedVideoId" IS NOT NULL;

CREATE INDEX "uploadsBySquad" ON "uploads" ("squadId") WHERE "squadId" IS NOT NULL;

CREATE INDEX "uploadsByState" ON "uploads" ("state", "touchedAt");

CREATE INDEX "uploadsByUser" ON "uploads" ("userId", "state");

CREATE INDEX "uploadsByVideo" ON "uploads" ("videoId");

CREATE TRIGGER "uploadBytesAdded" AFTER INSERT ON "uploads" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + CASE WHEN NEW."state" IN ('receiving', 'finalizing')
        THEN NEW."fileSize" + NEW."thumbnailBytes" ELSE 0 END
      WHERE "id" = NEW."userId";
  END;

CREATE TRIGGER "uploadBytesChanged"
    AFTER UPDATE OF "state", "fileSize", "thumbnailBytes" ON "uploads" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + CASE WHEN NEW."state" IN ('receiving', 'finalizing')
        THEN NEW."fileSize" + NEW."thumbnailBytes" ELSE 0 END - CASE WHEN OLD."state" IN ('receiving', 'finalizing')
        THEN OLD."fileSize" + OLD."thumbnailBytes" ELSE 0 END
      WHERE "id" = NEW."userId";
  END;

CREATE TRIGGER "uploadBytesRemoved" AFTER DELETE ON "uploads" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" - CASE WHEN OLD."state" IN ('receiving', 'finalizing')
        THEN OLD."fileSize" + OLD."thumbnailBytes" ELSE 0 END
      WHERE "id" = OLD."userId";
  END;

CREATE TABLE "users" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "username" TEXT NOT NULL COLLATE NOCASE UNIQUE,
    "password" TEXT NOT NULL,
    "email" TEXT NOT NULL COLLATE NOCASE UNIQUE,
    "displayName" TEXT NOT NULL,
    "bio" TEXT,
    "avatarUrl" TEXT,
    "bannerUrl" TEXT,
    "subscriberCount" INTEGER NOT NULL DEFAULT 0,
    "isAdmin" INTEGER NOT NULL DEFAULT 0 CHECK ("isAdmin" IN (0, 1)),
    "showEmail" INTEGER NOT NULL DEFAULT 0 CHECK ("showEmail" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    "historyPaused" INTEGER NOT NULL DEFAULT 0 CHECK ("historyPaused" IN (0, 1)),
    "bannedAt" TEXT,
    "banReason" TEXT,
    "quotaBytes" INTEGER,
    "storageBytes" INTEGER NOT NULL DEFAULT 0,
    "deletion" TEXT CHECK ("deletion" IN ('keep-comments', 'with-comments'))
  , "banDeletes" INTEGER NOT NULL DEFAULT 0, "defaultVisibility" TEXT CHECK ("defaultVisibility" IN ('public', 'members', 'unlisted', 'private')), "avatarBytes" INTEGER NOT NULL DEFAULT 0, "bannerBytes" INTEGER NOT NULL DEFAULT 0, "showsPresence" INTEGER NOT NULL DEFAULT 0 CHECK ("showsPresence" IN (0, 1)), "isTrustedUploader" INTEGER NOT NULL DEFAULT 0 CHECK ("isTrustedUploader" IN (0, 1)), "passkeyAfterPassword" INTEGER NOT NULL DEFAULT 0
    CHECK ("passkeyAfterPassword" IN (0, 1)), "emailVerifiedAt" TEXT, "emailRefusedAt" TEXT, "deletesAt" TEXT) STRICT;

CREATE INDEX "adminUsers" ON "users" ("id") WHERE "isAdmin" = 1;

CREATE INDEX "bannedUsers" ON "users" ("bannedAt") WHERE "bannedAt" IS NOT NULL;

CREATE INDEX "usersByAvatar" ON "users" ("avatarUrl") WHERE "avatarUrl" IS NOT NULL;

CREATE INDEX "usersByBanner" ON "users" ("bannerUrl") WHERE "bannerUrl" IS NOT NULL;

CREATE INDEX "usersByEnd" ON "users" ("deletesAt") WHERE "deletesAt" IS NOT NULL;

CREATE INDEX "usersByStorage" ON "users" ("storageBytes" DESC, "id" DESC);

CREATE INDEX "usersInDeletion" ON "users" ("id") WHERE "deletion" IS NOT NULL;

CREATE TRIGGER "banEndsApiTokens" AFTER UPDATE OF "bannedAt" ON "users"
    WHEN NEW."bannedAt" IS NOT NULL BEGIN
    DELETE FROM "apiTokens" WHERE "userId" = NEW."id";
  END;

CREATE TRIGGER "channelBytesChanged" AFTER UPDATE OF "avatarBytes", "bannerBytes" ON "users" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + NEW."avatarBytes" + NEW."bannerBytes"
        - OLD."avatarBytes" - OLD."bannerBytes"
      WHERE "id" = NEW."id";
  END;

CREATE TRIGGER "channelToForget" AFTER DELETE ON "users" BEGIN
    INSERT INTO "searchOutbox" ("kind", "id")
      SELECT 'channel', OLD."id"
      WHERE NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'channel' AND "id" = OLD."id");
  END;

CREATE TRIGGER "channelToIndex" AFTER INSERT ON "users" BEGIN
    INSERT INTO "searchOutbox" ("kind", "id")
      SELECT 'channel', NEW."id"
      WHERE NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'channel' AND "id" = NEW."id");
  END;

CREATE TRIGGER "channelToIndexAgain"
    AFTER UPDATE OF "displayName", "username" ON "users"
    WHEN OLD."displayName" <> NEW."displayName"
      OR OLD."username" <> NEW."username" BEGIN
    INSERT INTO "searchOutbox" ("kind", "id")
      SELECT 'channel', NEW."id"
      WHERE NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'channel' AND "id" = NEW."id");
    UPDATE "searchOutbox" SET "reachedId" = 0 WHERE "kind" = 'channel' AND "id" = NEW."id";
  END;

CREATE TRIGGER "newPasswordEndsApiTokens" AFTER UPDATE OF "password" ON "users" BEGIN
    DELETE FROM "apiTokens" WHERE "userId" = NEW."id";
  END;

CREATE TABLE "videoDays" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "day" TEXT NOT NULL,
    "watchSeconds" REAL NOT NULL DEFAULT 0,
    "likes" INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY ("videoId", "day")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "videoMembers" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    PRIMARY KEY ("videoId", "userId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "videoMembersByUser" ON "videoMembers" ("userId");

CREATE TABLE "videoReactions" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "second" INTEGER NOT NULL,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('fire', 'laugh', 'wow', 'heart', 'skull', 'gg')),
    PRIMARY KEY ("videoId", "userId", "second")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "videoReactionsByUser" ON "videoReactions" ("userId");

CREATE VIRTUAL TABLE "videoSearch" USING fts5 (
    title,
    tags,
    description,
    channel,
    titleSigns,
    signs,
    category,
    content = '',
    contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2',
    prefix = '1 2 3'
  );

CREATE TABLE 'videoSearch_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'videoSearch_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'videoSearch_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'videoSearch_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE "videoSources" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "day" TEXT NOT NULL,
    "source" TEXT NOT NULL CHECK ("source" IN ('site', 'direct', 'search', 'external', 'embed')),
    "views" INTEGER NOT NULL,
    PRIMARY KEY ("videoId", "day", "source")
  ) STRICT, WITHOUT ROWID;

CREATE TABLE "videoTags" (
    "tag" TEXT NOT NULL,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    PRIMARY KEY ("tag", "videoId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "tagsByVideo" ON "videoTags" ("videoId");

CREATE TABLE "videos" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "uploadId" TEXT UNIQUE,
    "mediaKey" TEXT NOT NULL UNIQUE,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "videoUrl" TEXT,
    "thumbnailUrl" TEXT,
    "duration" INTEGER NOT NULL DEFAULT 0,
    "width" INTEGER,
    "height" INTEGER,
    "storageBytes" INTEGER NOT NULL DEFAULT 0,
    "viewCount" INTEGER NOT NULL DEFAULT 0,
    "likeCount" INTEGER NOT NULL DEFAULT 0,
    "dislikeCount" INTEGER NOT NULL DEFAULT 0,
    "publishedAt" TEXT NOT NULL,
    "discordEmbed" INTEGER NOT NULL DEFAULT 1 CHECK ("discordEmbed" IN (0, 1)),
    "category" TEXT NOT NULL DEFAULT 'Other',
    "tags" TEXT NOT NULL DEFAULT '[]',
    "contentScanned" INTEGER NOT NULL DEFAULT 1 CHECK ("contentScanned" IN (0, 1)),
    "contentApproved" INTEGER NOT NULL DEFAULT 1 CHECK ("contentApproved" IN (0, 1)),
    "isAnonymous" INTEGER NOT NULL DEFAULT 0 CHECK ("isAnonymous" IN (0, 1)),
    "videoFileExists" INTEGER NOT NULL DEFAULT 1 CHECK ("videoFileExists" IN (0, 1)),
    "processingState" TEXT NOT NULL
      CHECK ("processingState" IN ('processing', 'ready', 'failed', 'deleting')),
    "processingError" TEXT,
    "rejectionReason" TEXT,
    "hlsUrl" TEXT,
    "storyboardUrl" TEXT,
    "shareUrl" TEXT,
    "cardUrl" TEXT,
    "loudnessLufs" REAL,
    "withheld" TEXT CHECK ("withheld" IN ('hidden', 'banned')),
    "commentsOff" INTEGER NOT NULL DEFAULT 0 CHECK ("commentsOff" IN (0, 1)),
    "listedBytes" INTEGER NOT NULL DEFAULT 0,
    "foldedTitle" TEXT NOT NULL DEFAULT '',
    "soundLanguage" TEXT
  , "resubmissionCount" INTEGER NOT NULL DEFAULT 0, "visibility" TEXT NOT NULL DEFAULT 'public' CHECK ("visibility" IN ('public', 'members', 'unlisted', 'private')), "addressKey" TEXT, "allowsDownload" INTEGER NOT NULL DEFAULT 1 CHECK ("allowsDownload" IN (0, 1)), "downloadCount" INTEGER NOT NULL DEFAULT 0, "expiresAt" TEXT, "expiryAction" TEXT CHECK ("expiryAction" IN ('private', 'delete')), "expiryNoticedAt" TEXT, "allowsClips" INTEGER NOT NULL DEFAULT 1 CHECK ("allowsClips" IN (0, 1)), "allowsClipVideos" INTEGER NOT NULL DEFAULT 0 CHECK ("allowsClipVideos" IN (0, 1)), "clipBytes" INTEGER NOT NULL DEFAULT 0, "captionBytes" INTEGER NOT NULL DEFAULT 0, "pictureBytes" INTEGER NOT NULL DEFAULT 0, "shareBytes" INTEGER NOT NULL DEFAULT 0, "preview" TEXT, "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE SET NULL, "allowsReactions" INTEGER NOT NULL DEFAULT 1 CHECK ("allowsReactions" IN (0, 1))) STRICT;

CREATE INDEX "publishedVideosByCategory" ON "videos"
    ("category", "publishedAt" DESC, "id" DESC, "visibility", "squadId") WHERE "processingState" = 'ready' AND "contentApproved" = 1;

CREATE INDEX "publishedVideosByTime" ON "videos" ("publishedAt" DESC, "id" DESC, "visibility", "squadId") WHERE "processingState" = 'ready' AND "contentApproved" = 1;

CREATE INDEX "publishedVideosByViews" ON "videos" ("viewCount" DESC, "id" DESC, "visibility", "squadId") WHERE "processingState" = 'ready' AND "contentApproved" = 1;

CREATE INDEX "unapprovedVideos" ON "videos" ("publishedAt", "id")
    WHERE "contentApproved" = 0 AND "rejectionReason" IS NULL AND "withheld" IS NULL;

CREATE UNIQUE INDEX "videosByAddress" ON "videos" (coalesce("addressKey", "mediaKey"));

CREATE INDEX "videosByChannel" ON "videos"
    ("userId", "id", "processingState", "contentApproved", "visibility", "isAnonymous", "squadId");

CREATE INDEX "videosByExpiry" ON "videos" ("expiresAt") WHERE "expiresAt" IS NOT NULL;

CREATE INDEX "videosByHeldBytes" ON "videos" ("userId", "processingState", "storageBytes", "clipBytes",
    "captionBytes", "pictureBytes", "shareBytes");

CREATE INDEX "videosBySize" ON "videos" ("storageBytes" DESC, "id" DESC);

CREATE INDEX "videosBySquad" ON "videos" ("squadId", "publishedAt" DESC, "id" DESC) WHERE "squadId" IS NOT NULL;

CREATE INDEX "videosByTitle" ON "videos" ("userId", "foldedTitle", "id");

CREATE INDEX "videosByUser" ON "videos" ("userId", "publishedAt" DESC, "id" DESC);

CREATE INDEX "videosByUserAndViews" ON "videos" ("userId", "viewCount" DESC, "id" DESC);

CREATE INDEX "videosInDeletion" ON "videos" ("id") WHERE "processingState" = 'deleting';

CREATE INDEX "videosWithOldCards" ON "videos" ("id") WHERE "cardUrl" IS NOT NULL AND "preview" IS NULL;

CREATE INDEX "videosWithOriginal" ON "videos" ("storageBytes" DESC, "id" DESC)
    WHERE "storageBytes" > "listedBytes";

CREATE TRIGGER "categoryChanged"
    AFTER UPDATE OF "category", "processingState", "contentApproved", "visibility" ON "videos"
    WHEN ((OLD."processingState" = 'ready' AND OLD."contentApproved" = 1) AND OLD."visibility" = 'public') <> ((NEW."processingState" = 'ready' AND NEW."contentApproved" = 1) AND NEW."visibility" = 'public') OR OLD."category" <> NEW."category" BEGIN
    UPDATE "categoryTotals"
      SET "publicVideos" = "publicVideos" - 1
      WHERE ((OLD."processingState" = 'ready' AND OLD."contentApproved" = 1) AND OLD."visibility" = 'public') AND "category" = OLD."category";
    INSERT INTO "categoryTotals" ("category", "publicVideos")
      SELECT NEW."category", 0
      WHERE ((NEW."processingState" = 'ready' AND NEW."contentApproved" = 1) AND NEW."visibility" = 'public')
        AND NOT EXISTS (SELECT 1 FROM "categoryTotals" WHERE "category" = NEW."category");
    UPDATE "categoryTotals"
      SET "publicVideos" = "publicVideos" + 1
      WHERE ((NEW."processingState" = 'ready' AND NEW."contentApproved" = 1) AND NEW."visibility" = 'public') AND "category" = NEW."category";
  END;

CREATE TRIGGER "categoryGained" AFTER INSERT ON "videos" WHEN ((NEW."processingState" = 'ready' AND NEW."contentApproved" = 1) AND NEW."visibility" = 'public') BEGIN
    INSERT INTO "categoryTotals" ("category", "publicVideos")
      SELECT NEW."category", 0
      WHERE NOT EXISTS (SELECT 1 FROM "categoryTotals" WHERE "category" = NEW."category");
    UPDATE "categoryTotals" SET "publicVideos" = "publicVideos" + 1 WHERE "category" = NEW."category";
  END;

CREATE TRIGGER "categoryLost" AFTER DELETE ON "videos" WHEN ((OLD."processingState" = 'ready' AND OLD."contentApproved" = 1) AND OLD."visibility" = 'public') BEGIN
    UPDATE "categoryTotals" SET "publicVideos" = "publicVideos" - 1 WHERE "category" = OLD."category";
  END;

CREATE TRIGGER "chatPostOfChangedVideo" AFTER UPDATE OF
    "title", "visibility", "processingState", "contentApproved", "isAnonymous", "hlsUrl"
    ON "videos" BEGIN
    UPDATE "chatPosts"
      SET "version" = "version" + 1, "nextAt" = coalesce("nextAt", '1970-01-01T00:00:00.000Z')
      WHERE "videoId" = NEW."id" AND "state" IN ('waiting', 'sending', 'posted');
  END;

CREATE TRIGGER "chatPostOfDeletedVideo" AFTER DELETE ON "videos" BEGIN
    DELETE FROM "chatPosts" WHERE "videoId" = OLD."id" AND "state" IN ('unknown', 'refused', 'deleted');
    UPDATE "chatPosts"
      SET "version" = "version" + 1, "nextAt" = coalesce("nextAt", '1970-01-01T00:00:00.000Z')
      WHERE "videoId" = OLD."id";
  END;

CREATE TRIGGER "videoBytesAdded" AFTER INSERT ON "videos" BEGIN
    UPDATE "storageTotals" SET "bytes" = "bytes" + NEW."storageBytes" WHERE "kind" = 'all';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + NEW."storageBytes" - NEW."clipBytes"
      WHERE "id" = NEW."userId";
  END;

CREATE TRIGGER "videoBytesChanged" AFTER UPDATE OF "storageBytes", "clipBytes" ON "videos"
    WHEN NEW."storageBytes" <> OLD."storageBytes" OR NEW."clipBytes" <> OLD."clipBytes" BEGIN
    UPDATE "storageTotals"
      SET "bytes" = "bytes" + NEW."storageBytes" - OLD."storageBytes"
      WHERE "kind" = 'all';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + NEW."storageBytes" - NEW."clipBytes"
        - OLD."storageBytes" + OLD."clipBytes"
      WHERE "id" = NEW."userId";
  END;

CREATE TRIGGER "videoBytesRemoved" AFTER DELETE ON "videos" BEGIN
    UPDATE "storageTotals" SET "bytes" = "bytes" - OLD."storageBytes" WHERE "kind" = 'all';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" - OLD."storageBytes" + OLD."clipBytes"
      WHERE "id" = OLD."userId";
  END;

CREATE TRIGGER "videoTagged" AFTER INSERT ON "videos" BEGIN
    INSERT INTO "videoTags" ("tag", "videoId")
      SELECT DISTINCT lower("value"), NEW."id" FROM json_each(NEW."tags");
  END;

CREATE TRIGGER "videoTagsUpdated" AFTER UPDATE OF "tags" ON "videos" BEGIN
    DELETE FROM "videoTags" WHERE "videoId" = OLD."id";
    INSERT INTO "videoTags" ("tag", "videoId")
      SELECT DISTINCT lower("value"), NEW."id" FROM json_each(NEW."tags");
  END;

CREATE TRIGGER "videoToForget" AFTER DELETE ON "videos"
    WHEN (OLD."processingState" = 'ready' AND OLD."contentApproved" = 1) BEGIN
    INSERT INTO "searchOutbox" ("kind", "id")
      SELECT 'video', OLD."id"
      WHERE NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'video' AND "id" = OLD."id");
  END;

CREATE TRIGGER "videoToIndex" AFTER INSERT ON "videos" BEGIN
    INSERT INTO "searchOutbox" ("kind", "id")
      SELECT 'video', NEW."id"
      WHERE NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'video' AND "id" = NEW."id");
  END;

CREATE TRIGGER "videoToIndexAgain"
    AFTER UPDATE OF "userId", "title", "description", "tags", "category", "isAnonymous", "processingState",
      "contentApproved", "visibility" ON "videos"
    WHEN (OLD."processingState" = 'ready' AND OLD."contentApproved" = 1) OR (NEW."processingState" = 'ready' AND NEW."contentApproved" = 1) OR OLD."title" <> NEW."title" BEGIN
    INSERT INTO "searchOutbox" ("kind", "id")
      SELECT 'video', NEW."id"
      WHERE NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'video' AND "id" = NEW."id");
  END;

CREATE TABLE "views" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "viewerKey" TEXT NOT NULL,
    "viewedAt" TEXT NOT NULL,
    PRIMARY KEY ("videoId", "viewerKey")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "viewsByTime" ON "views" ("viewedAt");

CREATE INDEX "viewsByViewer" ON "views" ("viewerKey", "viewedAt");

CREATE TABLE "visits" (
    "userId" INTEGER PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "startedAt" TEXT NOT NULL,
    "seenAt" TEXT NOT NULL,
    "previousAt" TEXT
  ) STRICT;

CREATE TABLE "watchRoomItems" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "roomId" INTEGER NOT NULL REFERENCES "watchRooms" ("id") ON DELETE CASCADE,
    "place" INTEGER NOT NULL,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "clipId" INTEGER REFERENCES "clips" ("id") ON DELETE CASCADE,
    "addedBy" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL
  , "squadViewId" INTEGER REFERENCES "squadViews" ("id") ON DELETE CASCADE) STRICT;

CREATE INDEX "watchRoomItemsByClip" ON "watchRoomItems" ("clipId");

CREATE INDEX "watchRoomItemsByMember" ON "watchRoomItems" ("addedBy");

CREATE INDEX "watchRoomItemsByRoom" ON "watchRoomItems" ("roomId", "place");

CREATE INDEX "watchRoomItemsBySquadView" ON "watchRoomItems" ("squadViewId");

CREATE INDEX "watchRoomItemsByVideo" ON "watchRoomItems" ("videoId");

CREATE TABLE "watchRoomMembers" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "roomId" INTEGER NOT NULL REFERENCES "watchRooms" ("id") ON DELETE CASCADE,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "guestKey" TEXT,
    "role" TEXT NOT NULL CHECK ("role" IN ('host', 'steers', 'watches')),
    "isHere" INTEGER NOT NULL CHECK ("isHere" IN (0, 1)),
    "seenAt" TEXT NOT NULL,
    "joinedAt" TEXT NOT NULL, "removedAt" TEXT,
    UNIQUE ("roomId", "userId"),
    UNIQUE ("roomId", "guestKey"),
    CHECK (("userId" IS NULL) <> ("guestKey" IS NULL))
  ) STRICT;

CREATE INDEX "watchRoomMembersByUser" ON "watchRoomMembers" ("userId");

CREATE TABLE "watchRoomMessages" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "roomId" INTEGER NOT NULL REFERENCES "watchRooms" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "content" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL
  ) STRICT;

CREATE INDEX "watchRoomMessagesByRoom" ON "watchRoomMessages" ("roomId", "id");

CREATE INDEX "watchRoomMessagesByUser" ON "watchRoomMessages" ("userId");

CREATE TABLE "watchRooms" (
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
  ) STRICT;

CREATE INDEX "watchRoomsByLastSeen" ON "watchRooms" ("lastSeenAt");

CREATE TABLE "watchedNext" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "nextVideoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "count" INTEGER NOT NULL,
    PRIMARY KEY ("videoId", "nextVideoId")
  ) STRICT, WITHOUT ROWID;

CREATE INDEX "watchedNextByNext" ON "watchedNext" ("nextVideoId");

CREATE TABLE "watching" (
    "name" TEXT PRIMARY KEY NOT NULL,
    "firstAt" INTEGER NOT NULL,
    "lastAt" INTEGER NOT NULL,
    "watchedSeconds" REAL NOT NULL,
    "freshSeconds" REAL NOT NULL
  ) STRICT;

CREATE TABLE "webhookDeliveries" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "webhookId" INTEGER NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE,
    "messageId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting' CHECK ("state" IN ('waiting', 'delivered', 'failed', 'dropped')),
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "attemptedAt" TEXT,
    "status" INTEGER,
    "ms" INTEGER,
    "answer" TEXT
  ) STRICT;

CREATE INDEX "webhookDeliveriesByTime" ON "webhookDeliveries" ("nextAt", "id") WHERE "nextAt" IS NOT NULL;

CREATE INDEX "webhookDeliveriesByWebhook" ON "webhookDeliveries" ("webhookId", "id");

CREATE TABLE "webhooks" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "format" TEXT NOT NULL CHECK ("format" IN ('standard', 'discord')),
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "isActive" INTEGER NOT NULL DEFAULT 1 CHECK ("isActive" IN (0, 1)),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "pausedAt" TEXT,
    "lastError" TEXT,
    "createdAt" TEXT NOT NULL,
    "secret" TEXT,
    "previousSecret" TEXT,
    "renewedAt" TEXT,
    "kinds" TEXT NOT NULL DEFAULT '[]',
    "category" TEXT,
    "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE CASCADE,
    "template" TEXT NOT NULL DEFAULT '',
    "sendsFile" INTEGER NOT NULL DEFAULT 0 CHECK ("sendsFile" IN (0, 1)),
    "editsPosts" INTEGER NOT NULL DEFAULT 0 CHECK ("editsPosts" IN (0, 1)),
    "deletesPosts" INTEGER NOT NULL DEFAULT 0 CHECK ("deletesPosts" IN (0, 1))
  , "channelId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE) STRICT;

CREATE INDEX "webhooksByChannel" ON "webhooks" ("channelId") WHERE "channelId" IS NOT NULL;

CREATE INDEX "webhooksBySquad" ON "webhooks" ("squadId") WHERE "squadId" IS NOT NULL;

CREATE TABLE "workers" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL UNIQUE,
    "createdBy" INTEGER REFERENCES "users"("id") ON DELETE SET NULL,
    "createdAt" TEXT NOT NULL,
    "lastSeenAt" TEXT,
    "version" TEXT,
    "encoder" TEXT,
    "drainedAt" TEXT,
    "jobsDone" INTEGER NOT NULL DEFAULT 0,
    "jobsFailed" INTEGER NOT NULL DEFAULT 0,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "lastErrorAt" TEXT
  ) STRICT;

CREATE INDEX "workersByCreator" ON "workers" ("createdBy") WHERE "createdBy" IS NOT NULL;
