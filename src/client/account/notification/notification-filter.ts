import { NOTIFICATION_FILTERS, type NotificationFilter } from '#shared/notification-kinds.ts'

/** Of an address. */
export const toNotificationFilter = (text: unknown): NotificationFilter =>
  NOTIFICATION_FILTERS.find((filter) => filter === text) ?? 'all'
