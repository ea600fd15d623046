/** Maximum number of browsers of a member that get push messages. */
export const PUSH_BROWSERS_MAX = 10

/** A message that the service worker shows as a notification. */
export type PushMessage = {
  title: string
  body?: string
  /** Path of a page of this site. */
  link: string
  /** A message replaces an earlier one with the same tag. */
  tag: string
  /** Pressing the message marks this notification as read. */
  id?: number
  /** Number of unread notifications. */
  unread?: number
}

/** Push services of Chrome, Edge, Firefox, Safari and the browsers that use the same services. */
const SERVICES = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
]

export function isPushService({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' &&
    SERVICES.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  )
}
