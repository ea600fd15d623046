/** Browsers of a member that can get push messages. */
export const PUSH_BROWSERS_MAX = 10

/** What the service worker shows. */
export type PushMessage = {
  title: string
  body?: string
  /** Address of a page of this site. */
  link: string
  /** A message replaces an earlier one with the same tag. */
  tag: string
  /** The notification that is read once the message is pressed. */
  id?: number
  /** The number of the bell. */
  unread?: number
}

/** Push services of browsers: Chrome, Edge, Firefox and Safari, and others that use one of theirs. */
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
