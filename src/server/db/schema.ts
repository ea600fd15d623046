import type { Generated, Insertable, Selectable } from 'kysely'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1
type Default<T> = Generated<T>

export interface UsersTable {
  id: Generated<number>
  username: string
  password: string
  email: string
  displayName: string
  bio: string | null
  avatarUrl: string | null
  bannerUrl: string | null
  subscriberCount: Default<number>
  isAdmin: Default<Flag>
  showEmail: Default<Flag>
  createdAt: string
}

export interface SessionsTable {
  id: string
  userId: number
  /** Unix seconds. */
  expiresAt: number
  rememberMe: Flag
  createdAt: string
}

export interface VideosTable {
  id: Generated<number>
  userId: number
  uploadId: string | null
  /** The name of the video's folder below `media/`, and of its addresses. */
  mediaKey: string
  title: string
  description: Default<string>
  videoUrl: string | null
  thumbnailUrl: string | null
  /** Seconds. */
  duration: Default<number>
  width: number | null
  height: number | null
  /** Everything in the video's folder. */
  storageBytes: Default<number>
  viewCount: Default<number>
  likeCount: Default<number>
  dislikeCount: Default<number>
  publishedAt: string
  discordEmbed: Default<Flag>
  category: Default<string>
  /** A JSON array of strings. */
  tags: Default<string>
  contentScanned: Default<Flag>
  contentApproved: Default<Flag>
  isAnonymous: Default<Flag>
  videoFileExists: Default<Flag>
  processingState: 'processing' | 'ready' | 'failed' | 'deleting'
  processingError: string | null
}

export interface CommentsTable {
  id: Generated<number>
  videoId: number
  /** Null when the account is gone. */
  userId: number | null
  content: string
  likeCount: Default<number>
  dislikeCount: Default<number>
  parentId: number | null
  createdAt: string
}

export interface SubscriptionsTable {
  id: Generated<number>
  subscriberId: number
  channelId: number
  subscribedAt: string
}

export interface LikesTable {
  id: Generated<number>
  userId: number
  videoId: number | null
  commentId: number | null
  isLike: Flag
  createdAt: string
}

export type NotificationType =
  | 'comment'
  | 'comment_reply'
  | 'video_comment'
  | 'subscription'
  | 'new_subscriber'
  | 'upload'
  | 'like'

export interface NotificationsTable {
  id: Generated<number>
  userId: number
  type: NotificationType
  title: string
  message: string
  sourceUserId: number | null
  videoId: number | null
  commentId: number | null
  /** How many people a `like` notification speaks of. */
  sourceCount: Default<number>
  read: Default<Flag>
  createdAt: string
}

/** Acts that were told to their target once; doing them again tells nobody. */
export interface AnnouncedActsTable {
  kind: 'like' | 'new_subscriber' | 'upload'
  actorId: number
  /** The video liked or uploaded, or the channel subscribed to. */
  targetId: number
}

export interface UploadsTable {
  id: string
  userId: number
  state: 'receiving' | 'finalizing' | 'completed' | 'failed' | 'expired'
  fileName: string
  fileSize: number
  chunkCount: number
  mediaKey: string
  title: string
  description: string
  category: string
  /** A JSON array of strings. */
  tags: string
  isAnonymous: Flag
  thumbnailUrl: string | null
  videoId: number | null
  /** Why the file was refused, for the uploader. */
  failure: string | null
  /** What finishing the upload found and made, as JSON; written before its files are moved. */
  prepared: string | null
  createdAt: string
  touchedAt: string
}

export interface UploadChunksTable {
  uploadId: string
  chunkIndex: number
  /** SHA-256 of the chunk's bytes. */
  hash: Uint8Array
}

export interface JobsTable {
  id: Generated<number>
  kind: 'transcode'
  videoId: number
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Counts the times the job was taken; a result of an earlier attempt is dropped. */
  attempt: Default<number>
  failures: Default<number>
  interruptions: Default<number>
  percent: Default<number>
  error: string | null
  runAfter: string
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  videos: VideosTable
  comments: CommentsTable
  subscriptions: SubscriptionsTable
  likes: LikesTable
  notifications: NotificationsTable
  announcedActs: AnnouncedActsTable
  uploads: UploadsTable
  uploadChunks: UploadChunksTable
  jobs: JobsTable
}

export type UserRow = Selectable<UsersTable>
export type VideoRow = Selectable<VideosTable>
export type NewVideoRow = Insertable<VideosTable>
export type CommentRow = Selectable<CommentsTable>
export type UploadRow = Selectable<UploadsTable>
export type JobRow = Selectable<JobsTable>
