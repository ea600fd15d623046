import type { RestRoute } from '#server/platform/http/rest-adapter.ts'
import type { Subscription } from '#shared/schemas/community.schemas.ts'

export const subscriptionRoutes = [
  {
    method: 'POST',
    path: '/subscriptions',
    procedure: 'subscription.create',
    summary: 'Subscribe to a channel; again changes nothing.',
    signedIn: true,
    failures: [400, 401, 403, 404, 429],
    status: (subscription: Subscription) => (subscription.isNew ? 201 : 200),
  },
  {
    method: 'DELETE',
    path: '/subscriptions/:subscriberId/:channelId',
    procedure: 'subscription.delete',
    summary: 'Unsubscribe from a channel; again changes nothing.',
    signedIn: true,
    failures: [400, 401, 403, 404],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
