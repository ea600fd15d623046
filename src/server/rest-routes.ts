import { authRoutes } from './auth/auth.routes.ts'
import { commentRoutes } from './comment/comment.routes.ts'
import type { RestRoute } from './http/rest-scope.ts'
import { notificationRoutes } from './notification/notification.routes.ts'
import { ratingRoutes } from './rating/rating.routes.ts'
import { searchRoutes } from './search/search.routes.ts'
import { subscriptionRoutes } from './subscription/subscription.routes.ts'
import { uploadRoutes } from './upload/upload.routes.ts'
import { userRoutes } from './user/user.routes.ts'
import { videoRoutes } from './video/video.routes.ts'

/** Every documented path that is a shell over a procedure, below `/api`. */
export const restRoutes: RestRoute[] = [
  ...authRoutes,
  ...userRoutes,
  ...videoRoutes,
  ...commentRoutes,
  ...ratingRoutes,
  ...subscriptionRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...uploadRoutes,
]
