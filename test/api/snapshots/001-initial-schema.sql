CREATE TABLE announcedActs (
    kind TEXT NOT NULL CHECK (kind IN ('like', 'new_subscriber', 'upload')),
    actorId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    targetId INTEGER NOT NULL,
    PRIMARY KEY (kind, actorId, targetId)
  ) STRICT, WITHOUT ROWID;

CREATE INDEX announcedActsByActor ON announcedActs (actorId);

CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    userId INTEGER REFERENCES users (id) ON DELETE SET NULL,
    content TEXT NOT NULL,
    likeCount INTEGER NOT NULL DEFAULT 0,
    dislikeCount INTEGER NOT NULL DEFAULT 0,
    parentId INTEGER REFERENCES comments (id) ON DELETE CASCADE,
    createdAt TEXT NOT NULL
  ) STRICT;

CREATE INDEX commentsByUser ON comments (userId);

CREATE INDEX commentsByVideo ON comments (videoId);

CREATE INDEX repliesByParent ON comments (parentId, createdAt, id) WHERE parentId IS NOT NULL;

CREATE INDEX topCommentsByVideo ON comments (videoId, createdAt DESC, id DESC)
    WHERE parentId IS NULL;

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    videoId INTEGER NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempt INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0,
    percent REAL NOT NULL DEFAULT 0,
    error TEXT,
    runAfter TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    startedAt TEXT,
    finishedAt TEXT,
    UNIQUE (videoId, kind)
  ) STRICT;

CREATE INDEX jobsByState ON jobs (state, runAfter, id);

CREATE TABLE likes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    videoId INTEGER REFERENCES videos (id) ON DELETE CASCADE,
    commentId INTEGER REFERENCES comments (id) ON DELETE CASCADE,
    isLike INTEGER NOT NULL CHECK (isLike IN (0, 1)),
    createdAt TEXT NOT NULL,
    CHECK ((videoId IS NULL) <> (commentId IS NULL))
  ) STRICT;

CREATE INDEX likesByComment ON likes (commentId) WHERE commentId IS NOT NULL;

CREATE INDEX likesByUser ON likes (userId);

CREATE UNIQUE INDEX likesByUserAndComment ON likes (userId, commentId)
    WHERE commentId IS NOT NULL;

CREATE UNIQUE INDEX likesByUserAndVideo ON likes (userId, videoId) WHERE videoId IS NOT NULL;

CREATE INDEX likesByVideo ON likes (videoId) WHERE videoId IS NOT NULL;

CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type TEXT NOT NULL CHECK (type IN (
      'comment', 'comment_reply', 'video_comment', 'subscription', 'new_subscriber', 'upload', 'like'
    )),
    title TEXT NOT NULL,
    message TEXT NOT NULL,
    sourceUserId INTEGER REFERENCES users (id) ON DELETE CASCADE,
    videoId INTEGER REFERENCES videos (id) ON DELETE CASCADE,
    commentId INTEGER REFERENCES comments (id) ON DELETE CASCADE,
    sourceCount INTEGER NOT NULL DEFAULT 1,
    read INTEGER NOT NULL DEFAULT 0 CHECK (read IN (0, 1)),
    createdAt TEXT NOT NULL
  ) STRICT;

CREATE INDEX notificationsByComment ON notifications (commentId);

CREATE INDEX notificationsBySource ON notifications (sourceUserId);

CREATE INDEX notificationsByUser ON notifications (userId, createdAt DESC, id DESC);

CREATE INDEX notificationsByVideo ON notifications (videoId);

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expiresAt INTEGER NOT NULL,
    rememberMe INTEGER NOT NULL CHECK (rememberMe IN (0, 1)),
    createdAt TEXT NOT NULL
  ) STRICT;

CREATE INDEX sessionsByExpiry ON sessions (expiresAt);

CREATE INDEX sessionsByUser ON sessions (userId);

CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscriberId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    channelId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    subscribedAt TEXT NOT NULL,
    UNIQUE (subscriberId, channelId),
    CHECK (subscriberId <> channelId)
  ) STRICT;

CREATE INDEX subscriptionsByChannel ON subscriptions (channelId, subscriberId);

CREATE TABLE uploadChunks (
    uploadId TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    chunkIndex INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (uploadId, chunkIndex)
  ) STRICT, WITHOUT ROWID;

CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    state TEXT NOT NULL
      CHECK (state IN ('receiving', 'finalizing', 'completed', 'failed', 'expired')),
    fileName TEXT NOT NULL,
    fileSize INTEGER NOT NULL,
    chunkCount INTEGER NOT NULL,
    mediaKey TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    category TEXT NOT NULL,
    tags TEXT NOT NULL,
    isAnonymous INTEGER NOT NULL CHECK (isAnonymous IN (0, 1)),
    thumbnailUrl TEXT,
    videoId INTEGER REFERENCES videos (id) ON DELETE SET NULL,
    failure TEXT,
    prepared TEXT,
    createdAt TEXT NOT NULL,
    touchedAt TEXT NOT NULL
  ) STRICT;

CREATE INDEX uploadsByState ON uploads (state, touchedAt);

CREATE INDEX uploadsByUser ON uploads (userId, state);

CREATE INDEX uploadsByVideo ON uploads (videoId);

CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL COLLATE NOCASE UNIQUE,
    password TEXT NOT NULL,
    email TEXT NOT NULL COLLATE NOCASE UNIQUE,
    displayName TEXT NOT NULL,
    bio TEXT,
    avatarUrl TEXT,
    bannerUrl TEXT,
    subscriberCount INTEGER NOT NULL DEFAULT 0,
    isAdmin INTEGER NOT NULL DEFAULT 0 CHECK (isAdmin IN (0, 1)),
    showEmail INTEGER NOT NULL DEFAULT 0 CHECK (showEmail IN (0, 1)),
    createdAt TEXT NOT NULL
  ) STRICT;

CREATE TABLE videos (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    uploadId TEXT UNIQUE,
    mediaKey TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    videoUrl TEXT,
    thumbnailUrl TEXT,
    duration INTEGER NOT NULL DEFAULT 0,
    width INTEGER,
    height INTEGER,
    storageBytes INTEGER NOT NULL DEFAULT 0,
    viewCount INTEGER NOT NULL DEFAULT 0,
    likeCount INTEGER NOT NULL DEFAULT 0,
    dislikeCount INTEGER NOT NULL DEFAULT 0,
    publishedAt TEXT NOT NULL,
    discordEmbed INTEGER NOT NULL DEFAULT 1 CHECK (discordEmbed IN (0, 1)),
    category TEXT NOT NULL DEFAULT 'Other',
    tags TEXT NOT NULL DEFAULT '[]',
    contentScanned INTEGER NOT NULL DEFAULT 1 CHECK (contentScanned IN (0, 1)),
    contentApproved INTEGER NOT NULL DEFAULT 1 CHECK (contentApproved IN (0, 1)),
    isAnonymous INTEGER NOT NULL DEFAULT 0 CHECK (isAnonymous IN (0, 1)),
    videoFileExists INTEGER NOT NULL DEFAULT 1 CHECK (videoFileExists IN (0, 1)),
    processingState TEXT NOT NULL
      CHECK (processingState IN ('processing', 'ready', 'failed', 'deleting')),
    processingError TEXT
  ) STRICT;

CREATE INDEX publicVideosByCategory ON videos (category, publishedAt DESC, id DESC)
    WHERE processingState = 'ready' AND contentApproved = 1;

CREATE INDEX publicVideosByTime ON videos (publishedAt DESC, id DESC)
    WHERE processingState = 'ready' AND contentApproved = 1;

CREATE INDEX videosByUser ON videos (userId, publishedAt DESC, id DESC);

CREATE INDEX videosInDeletion ON videos (id) WHERE processingState = 'deleting';
