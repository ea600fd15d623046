import type { Subscription } from '#shared/community.schemas.ts'
import type { RestRoute } from '../http/rest-scope.ts'

export const subscriptionRoutes: RestRoute[] = [
  {
    method: 'POST',
    path: '/subscriptions',
    procedure: 'subscription.create',
    status: (subscription: Subscription) => (subscription.isNew ? 201 : 200),
  },
  {
    method: 'DELETE',
    path: '/subscriptions/:subscriberId/:channelId',
    procedure: 'subscription.delete',
    status: 204,
  },
]
