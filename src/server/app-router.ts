import { authRouter } from './auth/auth.router.ts'
import { commentRouter } from './comment/comment.router.ts'
import { notificationRouter } from './notification/notification.router.ts'
import { ratingRouter } from './rating/rating.router.ts'
import { siteRouter } from './site/site.router.ts'
import { subscriptionRouter } from './subscription/subscription.router.ts'
import { createCallerFactory, router } from './trpc.ts'
import { uploadRouter } from './upload/upload.router.ts'
import { userRouter } from './user/user.router.ts'
import { videoRouter } from './video/video.router.ts'

export const appRouter = router({
  auth: authRouter,
  comment: commentRouter,
  notification: notificationRouter,
  rating: ratingRouter,
  site: siteRouter,
  subscription: subscriptionRouter,
  upload: uploadRouter,
  user: userRouter,
  video: videoRouter,
})

export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
