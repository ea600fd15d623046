/** What a member can do without. Decisions of admins, and that a video expires, are always told. */
export const NOTIFICATION_KINDS = [
  'comments',
  'replies',
  'likes',
  'subscribers',
  'videos',
  'posts',
  'shares',
  'squads',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Each leaves only some types of the spec; 'all' and 'unread' all. */
export const NOTIFICATION_FILTERS = [
  'all',
  'unread',
  'comments',
  'likes',
  'subscriptions',
  'videos',
] as const
export type NotificationFilter = (typeof NOTIFICATION_FILTERS)[number]
