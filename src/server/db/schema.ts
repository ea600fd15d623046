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
  historyPaused: Default<Flag>
  createdAt: string
  /** Since when the member is shut out; after 30 days they are deleted. */
  bannedAt: string | null
  /** Why, for the member. */
  banReason: string | null
  /** In the place of the site's quota; null for the site's. */
  quotaBytes: number | null
  /** What all videos of the member take; kept by triggers. */
  storageBytes: Default<number>
}

export interface SessionsTable {
  id: string
  userId: number
  /** Unix seconds. */
  expiresAt: number
  rememberMe: Flag
  userAgent: string | null
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
  /** Why an admin turned the video down, for its owner. */
  rejectionReason: string | null
  /** The master playlist of the adaptive stream. */
  hlsUrl: string | null
  /** A WebVTT file that says which part of which picture shows each time. */
  storyboardUrl: string | null
  /** A progressive MP4 small enough for chat programs to play inline. */
  shareUrl: string | null
  /** The thumbnail at card size in WebP; the JPEG beside it has the same name. */
  cardUrl: string | null
  /** Integrated, EBU R 128. */
  loudnessLufs: number | null
  /** Why it is not approved: an admin hid it, or its owner is banned. */
  withheld: 'hidden' | 'banned' | null
  /** Nobody may comment any more. */
  commentsOff: Default<Flag>
  /** The bytes of its `mediaFiles`: the rest of `storageBytes` is the upload itself; kept by triggers. */
  listedBytes: Default<number>
}

/** The files of a video that are served, all that its folder holds but the upload itself. */
export interface MediaFilesTable {
  videoId: number
  /** In the video's folder and in its address. */
  name: string
  kind:
    | 'video'
    | 'rendition'
    | 'playlist'
    | 'sound'
    | 'picture'
    | 'storyboard'
    | 'share'
    | 'captions'
  /** Null when it was listed before sizes were. */
  bytes: number | null
  /** Since when a better one stands for it; those who are watching may still need it for a while. */
  retiredAt: string | null
}

/** The steps of the adaptive stream. */
export interface RenditionsTable {
  videoId: number
  /** What people call it, such as 1080: the short side of the picture. */
  name: number
  width: number
  height: number
  frameRate: number
  /** Bits per second of the busiest stretch, and of the whole. */
  bandwidth: number
  averageBandwidth: number
  codecs: string
  /** The picture is the upload's own, not encoded again. */
  copied: Flag
}

/** The second and further sound tracks of a video, as files of sound alone. */
export interface SoundTracksTable {
  videoId: number
  /** From 2: the first track is in the video. */
  number: number
  file: string
  /** ISO 639. */
  language: string | null
}

/** How long each hundredth of a video was watched, all viewers together. */
export interface HeatTable {
  videoId: number
  slice: number
  seconds: number
}

/** The captions that the owner added, each a WebVTT file. */
export interface CaptionsTable {
  id: Generated<number>
  videoId: number
  /** A BCP 47 tag, such as 'en' or 'pt-BR'. */
  language: string
  /** What people choose by; one of each in a video. */
  label: string
  file: string
  createdAt: string
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
  editedAt: string | null
  /** Why others do not see it: it waits for review, an admin hid it, or its author is banned. */
  withheld: 'held' | 'hidden' | 'banned' | null
  /** At most one of each video. */
  isPinned: Default<Flag>
  isHearted: Default<Flag>
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
  /** `transcode` makes a video playable, `ladder` all that comes after. */
  kind: 'transcode' | 'ladder'
  videoId: number
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Counts the times the job was taken; a result of an earlier attempt is dropped. */
  attempt: Default<number>
  failures: Default<number>
  interruptions: Default<number>
  percent: Default<number>
  /** What it is busy with. */
  step: string | null
  /** Seconds of video in a second. */
  speed: number | null
  secondsLeft: number | null
  error: string | null
  runAfter: string
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

/** A full-text index of public videos without the texts; `rowid` is the video's id. Kept by triggers. */
export interface VideoSearchTable {
  rowid: number
  title: string
  tags: string
  description: string
  channel: string
  /** The signs of the title, and of the rest, each spelled as a word. */
  titleSigns: string
  signs: string
  /** As one word that no text has. */
  category: string
}

/** The words of the index as SQLite splits them, with the number of videos that have each. */
export interface VideoTermsTable {
  term: string
  doc: number
}

/** The words of public videos as we split them, with the number of videos that have each. Kept by triggers. */
export interface SearchTermsTable {
  term: string
  videoCount: number
}

/** One row. */
export interface SearchStateTable {
  id: number
  /** Counts the changes of the index. */
  changes: number
}

/** The tags of every video in lower case; kept by triggers. */
export interface VideoTagsTable {
  tag: string
  videoId: number
}

/** When a viewer's view of a video last counted. */
export interface ViewsTable {
  videoId: number
  /** A member's id, or keyed digests of a visitor's address and browser. */
  viewerKey: string
  viewedAt: string
}

export interface DailyViewsTable {
  /** YYYY-MM-DD, UTC. */
  day: string
  videoId: number
  count: number
}

/** How often a view of one video was followed by one of another. */
export interface WatchedNextTable {
  videoId: number
  nextVideoId: number
  count: number
}

export interface HistoryTable {
  userId: number
  videoId: number
  positionSeconds: number
  watchedAt: string
}

/** Videos that a member does not want to be shown. */
export interface HiddenVideosTable {
  userId: number
  videoId: number
}

export interface PlaylistsTable {
  id: Generated<number>
  userId: number
  kind: 'list' | 'watch-later'
  title: string
  description: Default<string>
  isPublic: Default<Flag>
  createdAt: string
  updatedAt: string
}

export interface PlaylistItemsTable {
  playlistId: number
  videoId: number
  /** Ascending; gaps are fine. */
  position: number
  addedAt: string
}

export interface ReportsTable {
  id: Generated<number>
  reporterId: number | null
  videoId: number | null
  commentId: number | null
  channelId: number | null
  reason: string
  state: 'open' | 'resolved' | 'dismissed'
  createdAt: string
  closedAt: string | null
  closedBy: number | null
}

/** One row. */
export interface SiteSettingsTable {
  id: number
  name: string
  uploadsNeedApproval: Default<Flag>
  /** Keys the digests that stand for visitors. */
  viewerSecret: string
  tagline: Default<string>
  /** A colour as #rrggbb; null for the theme's own. */
  accent: string | null
  logoUrl: string | null
  rules: Default<string>
  registration: Default<'open' | 'invite' | 'closed'>
  /** A JSON array of strings. */
  extraCategories: Default<string>
  /** Null for what the environment allows. */
  maxVideoBytes: number | null
  maxThumbnailBytes: number | null
  anonymousByDefault: Default<Flag>
  discordEmbedByDefault: Default<Flag>
  /** A JSON array of strings. */
  heldWords: Default<string>
  holdLinks: Default<Flag>
  newMemberDays: Default<number>
  newMemberComments: Default<number>
  /** The hour of the nightly backup by the machine's clock; null for none. */
  backupHour: number | null
  backupsKept: Default<number>
}

/** What admins did. Rows are never changed or deleted: triggers refuse it. */
export interface AuditLogTable {
  id: Generated<number>
  createdAt: string
  /** Null for the site itself. */
  actorId: number | null
  actorName: string
  action: string
  targetKind: string
  targetId: number | null
  targetName: string
  reason: Default<string>
}

export interface InvitesTable {
  id: Generated<number>
  code: string
  usesMax: number
  uses: Default<number>
  expiresAt: string | null
  note: Default<string>
  createdBy: number | null
  createdAt: string
  revokedAt: string | null
}

/** One-time links to a new password. */
export interface PasswordResetsTable {
  /** SHA-256 of the link's token, in hexadecimal. */
  tokenHash: string
  userId: number
  createdAt: string
  expiresAt: string
}

/** Bytes by kind of media file, and of all videos together under 'all'; kept by triggers. */
export interface StorageTotalsTable {
  kind: string
  bytes: number
}

/** Sums of whole days, in UTC. */
export interface SiteDaysTable {
  /** YYYY-MM-DD. */
  day: string
  views: Default<number>
  /** What all videos took when the day was last looked at. */
  storageBytes: number | null
}

/** What a video earned on a day, in UTC; its views are in `dailyViews`. Likes are kept by triggers. */
export interface VideoDaysTable {
  videoId: number
  /** YYYY-MM-DD. */
  day: string
  watchSeconds: Default<number>
  likes: Default<number>
}

/** Where the views of a day came from. */
export interface VideoSourcesTable {
  videoId: number
  day: string
  source: 'site' | 'direct' | 'search' | 'external' | 'embed'
  views: number
}

/** What happened to a job, for admins; the last lines only. */
export interface JobLogTable {
  id: Generated<number>
  jobId: number
  createdAt: string
  text: string
}

export interface BackupsTable {
  id: Generated<number>
  /** Its folder below `backups/`. */
  name: string
  cause: 'asked' | 'nightly'
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  bytes: number | null
  files: number | null
  videos: number | null
  members: number | null
  error: string | null
}

/** What comparing the database with the files found. */
export interface SiteChecksTable {
  id: Generated<number>
  state: 'running' | 'done' | 'failed'
  startedAt: string
  finishedAt: string | null
  percent: Default<number>
  videos: number | null
  files: number | null
  problemCount: number | null
  /** A JSON array of `{kind, text}`; the first ones. */
  problems: Default<string>
  error: string | null
}

/** What scripts say who they are with. */
export interface ApiTokensTable {
  id: Generated<number>
  userId: number
  name: string
  scope: 'upload' | 'read'
  /** SHA-256; the token itself is not kept. */
  tokenHash: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  videos: VideosTable
  mediaFiles: MediaFilesTable
  renditions: RenditionsTable
  soundTracks: SoundTracksTable
  captions: CaptionsTable
  heat: HeatTable
  comments: CommentsTable
  subscriptions: SubscriptionsTable
  likes: LikesTable
  notifications: NotificationsTable
  announcedActs: AnnouncedActsTable
  uploads: UploadsTable
  uploadChunks: UploadChunksTable
  jobs: JobsTable
  videoSearch: VideoSearchTable
  videoTerms: VideoTermsTable
  searchTerms: SearchTermsTable
  searchState: SearchStateTable
  videoTags: VideoTagsTable
  views: ViewsTable
  dailyViews: DailyViewsTable
  watchedNext: WatchedNextTable
  history: HistoryTable
  hiddenVideos: HiddenVideosTable
  playlists: PlaylistsTable
  playlistItems: PlaylistItemsTable
  reports: ReportsTable
  siteSettings: SiteSettingsTable
  auditLog: AuditLogTable
  invites: InvitesTable
  passwordResets: PasswordResetsTable
  storageTotals: StorageTotalsTable
  siteDays: SiteDaysTable
  videoDays: VideoDaysTable
  videoSources: VideoSourcesTable
  jobLog: JobLogTable
  backups: BackupsTable
  siteChecks: SiteChecksTable
  apiTokens: ApiTokensTable
}

export type UserRow = Selectable<UsersTable>
export type VideoRow = Selectable<VideosTable>
export type NewVideoRow = Insertable<VideosTable>
export type CommentRow = Selectable<CommentsTable>
export type UploadRow = Selectable<UploadsTable>
export type JobRow = Selectable<JobsTable>
