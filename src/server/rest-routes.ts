import type { inferRouterInputs } from '@trpc/server'
import { apiTokenRoutes } from './account/api-token/api-token.routes.ts'
import { authRoutes } from './account/auth/auth.routes.ts'
import { deviceCodeRoutes } from './account/device-code/device-code.routes.ts'
import { userRoutes } from './account/user/user.routes.ts'
import type { AppRouter } from './app-router.ts'
import { commentRoutes } from './community/comment/comment.routes.ts'
import { likeRoutes } from './community/like/like.routes.ts'
import { notificationRoutes } from './community/notification/notification.routes.ts'
import { subscriptionRoutes } from './community/subscription/subscription.routes.ts'
import { searchRoutes } from './discovery/search/search.routes.ts'
import { shareLinkRoutes } from './discovery/share-link/share-link.routes.ts'
import type { RestRoute } from './platform/http/rest-adapter.ts'
import { clipRoutes } from './video/clip/clip.routes.ts'
import { cutRoutes } from './video/cut/cut.routes.ts'
import { momentRoutes } from './video/moment/moment.routes.ts'
import { montageRoutes } from './video/montage/montage.routes.ts'
import { reactionRoutes } from './video/reaction/reaction.routes.ts'
import { uploadRoutes } from './video/upload/upload.routes.ts'
import { videoRoutes } from './video/video/video.routes.ts'

type ProcedurePath = {
  [Name in keyof Routers]: `${Name}.${Extract<keyof Routers[Name], string>}`
}[keyof Routers]
type Routers = inferRouterInputs<AppRouter>

export const restRoutes: readonly (RestRoute & { procedure: ProcedurePath })[] = [
  ...authRoutes,
  ...deviceCodeRoutes,
  ...apiTokenRoutes,
  ...userRoutes,
  ...videoRoutes,
  ...clipRoutes,
  ...momentRoutes,
  ...reactionRoutes,
  ...commentRoutes,
  ...likeRoutes,
  ...subscriptionRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...shareLinkRoutes,
  ...uploadRoutes,
  ...cutRoutes,
  ...montageRoutes,
]
