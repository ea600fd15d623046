/**
 * The kinds that a member can turn off. Decisions of admins and expiring videos are always
 * notified.
 */
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

/** The places in which a member gets notifications of a kind. `push` stands for the bell and push messages. */
export const NOTIFICATION_PLACES = ['push', 'bell', 'none'] as const
export type NotificationPlace = (typeof NOTIFICATION_PLACES)[number]

/** All but 'all', 'unread' and 'squads' select some of the notification types of the spec. */
export const NOTIFICATION_FILTERS = [
  'all',
  'unread',
  'comments',
  'likes',
  'subscriptions',
  'videos',
  'squads',
] as const
export type NotificationFilter = (typeof NOTIFICATION_FILTERS)[number]

/** Prefix of the group key of notifications that lead to the inbox. */
export const INBOX_GROUP = 'inbox'
