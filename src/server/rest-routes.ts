import { authRoutes } from './account/auth/auth.routes.ts'
import { userRoutes } from './account/user/user.routes.ts'
import { commentRoutes } from './community/comment/comment.routes.ts'
import { notificationRoutes } from './community/notification/notification.routes.ts'
import { ratingRoutes } from './community/rating/rating.routes.ts'
import { subscriptionRoutes } from './community/subscription/subscription.routes.ts'
import { searchRoutes } from './discovery/search/search.routes.ts'
import type { RestRoute } from './platform/http/rest-scope.ts'
import { uploadRoutes } from './video/upload/upload.routes.ts'
import { videoRoutes } from './video/video/video.routes.ts'

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
