import { apiTokenRouter } from './account/api-token/api-token.router.ts'
import { authRouter } from './account/auth/auth.router.ts'
import { deviceCodeRouter } from './account/device-code/device-code.router.ts'
import { emailRouter } from './account/email/email.router.ts'
import { inviteRouter } from './account/invite/invite.router.ts'
import { memberRouter } from './account/member/member.router.ts'
import { passwordResetRouter } from './account/member/password-reset.router.ts'
import { providerRouter } from './account/provider/provider.router.ts'
import { registrationRouter } from './account/registration/registration.router.ts'
import { securityRouter } from './account/security/security.router.ts'
import { settingsRouter } from './account/settings/settings.router.ts'
import { signInWaysRouter } from './account/sign-in-settings/sign-in-settings.router.ts'
import { userRouter } from './account/user/user.router.ts'
import { commentRouter } from './community/comment/comment.router.ts'
import { digestRouter } from './community/digest/digest.router.ts'
import { featuredChannelRouter } from './community/featured-channel/featured-channel.router.ts'
import { historyRouter } from './community/history/history.router.ts'
import { likeRouter } from './community/like/like.router.ts'
import { notificationRouter } from './community/notification/notification.router.ts'
import { participantRouter } from './community/participant/participant.router.ts'
import { playlistRouter } from './community/playlist/playlist.router.ts'
import { postRouter } from './community/post/post.router.ts'
import { pushRouter } from './community/push/push.router.ts'
import { reportRouter } from './community/report/report.router.ts'
import { squadRouter } from './community/squad/squad.router.ts'
import { squadViewRouter } from './community/squad-view/squad-view.router.ts'
import { subscriptionRouter } from './community/subscription/subscription.router.ts'
import { watchRoomRouter } from './community/watch-room/watch-room.router.ts'
import { watchingRouter } from './community/watching/watching.router.ts'
import { dataExportRouter } from './desk/account-data/data-export.router.ts'
import { accountDeletionRouter } from './desk/account-deletion/account-deletion.router.ts'
import { analyticsRouter } from './desk/analytics/analytics.router.ts'
import { auditRouter } from './desk/audit/audit.router.ts'
import { backupRouter } from './desk/backup/backup.router.ts'
import { importRouter } from './desk/import/import.router.ts'
import { mailRouter } from './desk/mail/mail.router.ts'
import { memberSignInRouter } from './desk/member-sign-in/member-sign-in.router.ts'
import { moderationRouter } from './desk/moderation/moderation.router.ts'
import { nodeRouter } from './desk/nodes/node.router.ts'
import { overviewRouter } from './desk/overview/overview.router.ts'
import { releaseRouter } from './desk/release/release.router.ts'
import { setupRouter } from './desk/setup/setup.router.ts'
import { signInSettingsRouter } from './desk/sign-in-settings/sign-in-settings.router.ts'
import { siteRouter } from './desk/site/site.router.ts'
import { storageRouter } from './desk/storage/storage.router.ts'
import { webhookRouter } from './desk/webhook/webhook.router.ts'
import { exploreRouter } from './discovery/explore/explore.router.ts'
import { homeRouter } from './discovery/home/home.router.ts'
import { searchRouter } from './discovery/search/search.router.ts'
import { shareLinkRouter } from './discovery/share-link/share-link.router.ts'
import { sharingRouter } from './discovery/sharing/sharing.router.ts'
import { liveRouter } from './live.router.ts'
import { createCallerFactory, mergeRouters, router } from './platform/trpc.ts'
import { arrivingRouter } from './video/arriving/arriving.router.ts'
import { captionRouter } from './video/caption/caption.router.ts'
import { clipRouter } from './video/clip/clip.router.ts'
import { cutRouter } from './video/cut/cut.router.ts'
import { downloadRouter } from './video/download/download.router.ts'
import { fetchRouter } from './video/fetch/fetch.router.ts'
import { heldRouter } from './video/held/held.router.ts'
import { inboxRouter } from './video/inbox/inbox.router.ts'
import { jobRouter } from './video/job/job.router.ts'
import { processingRouter } from './video/job/processing.router.ts'
import { momentRouter } from './video/moment/moment.router.ts'
import { montageRouter } from './video/montage/montage.router.ts'
import { playbackRouter } from './video/playback/playback.router.ts'
import { posterRouter } from './video/poster/poster.router.ts'
import { reactionRouter } from './video/reaction/reaction.router.ts'
import { soundMixRouter } from './video/sound-mix/sound-mix.router.ts'
import { uploadRouter } from './video/upload/upload.router.ts'
import { videoRouter } from './video/video/video.router.ts'
import { workerRouter } from './video/worker/worker.router.ts'

export const appRouter = router({
  analytics: analyticsRouter,
  arriving: arrivingRouter,
  audit: auditRouter,
  apiToken: apiTokenRouter,
  auth: mergeRouters(authRouter, registrationRouter, passwordResetRouter),
  caption: captionRouter,
  backup: backupRouter,
  clip: clipRouter,
  comment: commentRouter,
  cut: cutRouter,
  deviceCode: deviceCodeRouter,
  digest: digestRouter,
  email: emailRouter,
  explore: exploreRouter,
  fetch: fetchRouter,
  home: homeRouter,
  featuredChannel: featuredChannelRouter,
  held: heldRouter,
  history: historyRouter,
  import: importRouter,
  inbox: inboxRouter,
  invite: inviteRouter,
  job: jobRouter,
  live: liveRouter,
  mail: mailRouter,
  member: mergeRouters(memberRouter, memberSignInRouter),
  moderation: moderationRouter,
  montage: montageRouter,
  moment: momentRouter,
  node: nodeRouter,
  notification: notificationRouter,
  overview: overviewRouter,
  participant: participantRouter,
  playlist: playlistRouter,
  post: postRouter,
  like: likeRouter,
  provider: providerRouter,
  push: pushRouter,
  reaction: reactionRouter,
  release: releaseRouter,
  report: reportRouter,
  search: searchRouter,
  security: securityRouter,
  settings: mergeRouters(settingsRouter, accountDeletionRouter, dataExportRouter),
  setup: setupRouter,
  shareLink: shareLinkRouter,
  sharing: sharingRouter,
  signIn: mergeRouters(signInWaysRouter, signInSettingsRouter),
  site: siteRouter,
  squad: squadRouter,
  squadView: squadViewRouter,
  storage: storageRouter,
  subscription: subscriptionRouter,
  upload: uploadRouter,
  user: userRouter,
  video: mergeRouters(
    videoRouter,
    processingRouter,
    playbackRouter,
    downloadRouter,
    posterRouter,
    soundMixRouter,
  ),
  watching: watchingRouter,
  watchRoom: watchRoomRouter,
  webhook: webhookRouter,
  worker: workerRouter,
})

export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
