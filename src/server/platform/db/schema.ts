import type {
  ApiTokensTable,
  DataExportFilesTable,
  DataExportPartsTable,
  DataExportsTable,
  IdentitiesTable,
  IdentityProvidersTable,
  InvitesTable,
  PasskeysTable,
  PasswordResetsTable,
  RecoveryCodesTable,
  SecondFactorNoticesTable,
  SessionsTable,
  SignInSettingsTable,
  SignInStepsTable,
  TimeCodesTable,
  UsersTable,
} from './tables/account.ts'
import type { FeaturedChannelsTable, ParticipantsTable, PostsTable } from './tables/channel.ts'
import type { ClipsTable, ClipViewsTable } from './tables/clip.ts'
import type { CommentsTable } from './tables/comment.ts'
import type {
  AnnouncedActsTable,
  LikesTable,
  MutedNotificationsTable,
  NotificationsTable,
  ReportsTable,
  SubscriptionsTable,
} from './tables/community.ts'
import type { CutsTable } from './tables/cut.ts'
import type { ImportedVideosTable, ImportsTable } from './tables/import.ts'
import type { InboxItemsTable, InboxPicturesTable, InboxSettingsTable } from './tables/inbox.ts'
import type { JobLogTable, JobsTable } from './tables/job.ts'
import type { DigestsTable, EmailVerificationsTable, MailsTable } from './tables/mail.ts'
import type { MomentsTable } from './tables/moment.ts'
import type { MontagesTable } from './tables/montage.ts'
import type { PlaylistItemsTable, PlaylistMembersTable, PlaylistsTable } from './tables/playlist.ts'
import type { PushesTable, PushSubscriptionsTable, QuietHoursTable } from './tables/push.ts'
import type { ReactionCountsTable, VideoReactionsTable } from './tables/reaction.ts'
import type {
  ChannelSearchTable,
  SearchedVideosTable,
  SearchOutboxTable,
  SearchStateTable,
  SearchTagsTable,
  SearchTermsTable,
  VideoSearchTable,
} from './tables/search.ts'
import type {
  AuditLogTable,
  BackupsTable,
  CategoryTotalsTable,
  GameLooksTable,
  LongWorkTable,
  NodesTable,
  RateCountsTable,
  RestoreDrillsTable,
  SiteChecksTable,
  SiteDaysTable,
  SiteSettingsTable,
  StorageTotalsTable,
} from './tables/site.ts'
import type {
  SquadInvitesTable,
  SquadMembersTable,
  SquadRemovalsTable,
  SquadRequestsTable,
  SquadsTable,
} from './tables/squad.ts'
import type { SquadViewsTable, SquadViewVideosTable } from './tables/squad-view.ts'
import type { FetchesTable, UploadChunksTable, UploadsTable } from './tables/upload.ts'
import type {
  CaptionsTable,
  FileHashesTable,
  MediaFilesTable,
  RenditionsTable,
  ShareLinksTable,
  SoundMixesTable,
  SoundNamesTable,
  SoundTracksTable,
  VideoMembersTable,
  VideosTable,
  VideoTagsTable,
} from './tables/video.ts'
import type {
  WatchRoomItemsTable,
  WatchRoomMembersTable,
  WatchRoomMessagesTable,
  WatchRoomsTable,
} from './tables/watch-room.ts'
import type {
  DailyViewsTable,
  HeatTable,
  HiddenVideosTable,
  HistoryTable,
  VideoDaysTable,
  VideoSourcesTable,
  ViewsTable,
  VisitsTable,
  WatchedNextTable,
  WatchingTable,
} from './tables/watching.ts'
import type {
  AnnouncedVideosTable,
  ChatPostsTable,
  WebhookDeliveriesTable,
  WebhooksTable,
} from './tables/webhook.ts'
import type { WorkersTable } from './tables/worker.ts'

export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  signInSettings: SignInSettingsTable
  identities: IdentitiesTable
  identityProviders: IdentityProvidersTable
  signInSteps: SignInStepsTable
  timeCodes: TimeCodesTable
  recoveryCodes: RecoveryCodesTable
  passkeys: PasskeysTable
  secondFactorNotices: SecondFactorNoticesTable
  videos: VideosTable
  mediaFiles: MediaFilesTable
  fileHashes: FileHashesTable
  renditions: RenditionsTable
  soundTracks: SoundTracksTable
  soundNames: SoundNamesTable
  soundMixes: SoundMixesTable
  captions: CaptionsTable
  videoMembers: VideoMembersTable
  squads: SquadsTable
  squadMembers: SquadMembersTable
  squadRequests: SquadRequestsTable
  squadInvites: SquadInvitesTable
  squadRemovals: SquadRemovalsTable
  squadViews: SquadViewsTable
  squadViewVideos: SquadViewVideosTable
  watchRooms: WatchRoomsTable
  watchRoomItems: WatchRoomItemsTable
  watchRoomMembers: WatchRoomMembersTable
  watchRoomMessages: WatchRoomMessagesTable
  shareLinks: ShareLinksTable
  heat: HeatTable
  clips: ClipsTable
  clipViews: ClipViewsTable
  comments: CommentsTable
  subscriptions: SubscriptionsTable
  likes: LikesTable
  moments: MomentsTable
  videoReactions: VideoReactionsTable
  reactionCounts: ReactionCountsTable
  notifications: NotificationsTable
  mutedNotifications: MutedNotificationsTable
  pushSubscriptions: PushSubscriptionsTable
  pushes: PushesTable
  quietHours: QuietHoursTable
  announcedActs: AnnouncedActsTable
  uploads: UploadsTable
  uploadChunks: UploadChunksTable
  fetches: FetchesTable
  importedVideos: ImportedVideosTable
  imports: ImportsTable
  inboxItems: InboxItemsTable
  inboxPictures: InboxPicturesTable
  inboxSettings: InboxSettingsTable
  jobs: JobsTable
  cuts: CutsTable
  montages: MontagesTable
  videoSearch: VideoSearchTable
  channelSearch: ChannelSearchTable
  searchedVideos: SearchedVideosTable
  searchOutbox: SearchOutboxTable
  searchTags: SearchTagsTable
  searchTerms: SearchTermsTable
  searchState: SearchStateTable
  videoTags: VideoTagsTable
  views: ViewsTable
  visits: VisitsTable
  dailyViews: DailyViewsTable
  watchedNext: WatchedNextTable
  history: HistoryTable
  hiddenVideos: HiddenVideosTable
  playlists: PlaylistsTable
  playlistItems: PlaylistItemsTable
  playlistMembers: PlaylistMembersTable
  reports: ReportsTable
  posts: PostsTable
  featuredChannels: FeaturedChannelsTable
  participants: ParticipantsTable
  siteSettings: SiteSettingsTable
  gameLooks: GameLooksTable
  auditLog: AuditLogTable
  invites: InvitesTable
  passwordResets: PasswordResetsTable
  emailVerifications: EmailVerificationsTable
  mails: MailsTable
  digests: DigestsTable
  webhooks: WebhooksTable
  webhookDeliveries: WebhookDeliveriesTable
  announcedVideos: AnnouncedVideosTable
  chatPosts: ChatPostsTable
  storageTotals: StorageTotalsTable
  categoryTotals: CategoryTotalsTable
  siteDays: SiteDaysTable
  videoDays: VideoDaysTable
  videoSources: VideoSourcesTable
  jobLog: JobLogTable
  workers: WorkersTable
  longWork: LongWorkTable
  nodes: NodesTable
  rateCounts: RateCountsTable
  watching: WatchingTable
  backups: BackupsTable
  restoreDrills: RestoreDrillsTable
  siteChecks: SiteChecksTable
  apiTokens: ApiTokensTable
  dataExports: DataExportsTable
  dataExportParts: DataExportPartsTable
  dataExportFiles: DataExportFilesTable
}
