import { accountDeletionRouter } from './account-deletion/account-deletion.router.ts'
import { analyticsRouter } from './analytics/analytics.router.ts'
import { apiTokenRouter } from './api-token/api-token.router.ts'
import { auditRouter } from './audit/audit.router.ts'
import { authRouter } from './auth/auth.router.ts'
import { backupRouter } from './backup/backup.router.ts'
import { captionRouter } from './caption/caption.router.ts'
import { commentRouter } from './comment/comment.router.ts'
import { exploreRouter } from './explore/explore.router.ts'
import { historyRouter } from './history/history.router.ts'
import { inviteRouter } from './invite/invite.router.ts'
import { jobRouter } from './job/job.router.ts'
import { memberRouter } from './member/member.router.ts'
import { moderationRouter } from './moderation/moderation.router.ts'
import { notificationRouter } from './notification/notification.router.ts'
import { overviewRouter } from './overview/overview.router.ts'
import { playlistRouter } from './playlist/playlist.router.ts'
import { ratingRouter } from './rating/rating.router.ts'
import { reportRouter } from './report/report.router.ts'
import { searchRouter } from './search/search.router.ts'
import { settingsRouter } from './settings/settings.router.ts'
import { sharingRouter } from './sharing/sharing.router.ts'
import { siteRouter } from './site/site.router.ts'
import { storageRouter } from './storage/storage.router.ts'
import { subscriptionRouter } from './subscription/subscription.router.ts'
import { createCallerFactory, mergeRouters, router } from './trpc.ts'
import { uploadRouter } from './upload/upload.router.ts'
import { userRouter } from './user/user.router.ts'
import { videoRouter } from './video/video.router.ts'

export const appRouter = router({
  analytics: analyticsRouter,
  audit: auditRouter,
  apiToken: apiTokenRouter,
  auth: authRouter,
  caption: captionRouter,
  backup: backupRouter,
  comment: commentRouter,
  explore: exploreRouter,
  history: historyRouter,
  invite: inviteRouter,
  job: jobRouter,
  member: memberRouter,
  moderation: moderationRouter,
  notification: notificationRouter,
  overview: overviewRouter,
  playlist: playlistRouter,
  rating: ratingRouter,
  report: reportRouter,
  search: searchRouter,
  settings: mergeRouters(settingsRouter, accountDeletionRouter),
  sharing: sharingRouter,
  site: siteRouter,
  storage: storageRouter,
  subscription: subscriptionRouter,
  upload: uploadRouter,
  user: userRouter,
  video: videoRouter,
})

export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
