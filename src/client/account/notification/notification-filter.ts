import { NOTIFICATION_FILTERS, type NotificationFilter } from '#shared/notification-kinds.ts'

/** Reads a search parameter of the address. Unknown values mean 'all'. */
export const toNotificationFilter = (text: unknown): NotificationFilter =>
  NOTIFICATION_FILTERS.find((filter) => filter === text) ?? 'all'
