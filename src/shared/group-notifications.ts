import type { Notification } from './schemas/community.schemas.ts'

/** Holds what one row of the list shows. Most groups have a single notification. */
export type NotificationGroup = {
  latest: Notification
  size: number
  unread: number
  /** The latest person comes first, and each person appears once. */
  people: NonNullable<Notification['sourceUser']>[]
  /** Also counts people who are not listed in `people`. */
  peopleCount: number
}

/** Returns the groups in the order of their latest notifications. */
export function groupNotifications(items: readonly Notification[]): NotificationGroup[] {
  const groups = new Map<string, NotificationGroup>()
  for (const item of items) {
    const key = groupKeyOf(item)
    const group = groups.get(key)
    if (group) addPerson(group, item)
    else groups.set(key, begin(item))
  }
  return [...groups.values()]
}

/** Returns a key that is equal for all notifications of a group. */
export const groupKeyOf = ({ id, group }: Notification) => group?.key ?? `alone ${id}`

function begin(latest: Notification): NotificationGroup {
  const alone = { size: 1, unread: latest.read ? 0 : 1, people: 1 }
  const { size, unread, people: peopleCount } = latest.group ?? alone
  const group: NotificationGroup = { latest, size, unread, peopleCount, people: [] }
  addPerson(group, latest)
  return group
}

function addPerson({ people }: NotificationGroup, { sourceUser }: Notification): void {
  if (sourceUser && people.every(({ id }) => id !== sourceUser.id)) people.push(sourceUser)
}

/**
 * Returns a title such as 'Tom and 4 others commented on "Ace"'. A single notification about one
 * person keeps its own title.
 */
export function titleOf({ latest, size, people, peopleCount }: NotificationGroup): string {
  if (!latest.group || (size === 1 && peopleCount <= 1)) return latest.title
  const said = latest.group.text
  const [first, second] = people
  if (!first) return `${peopleCount} people ${said}`
  const others = peopleCount - 1
  if (others === 0) return `${first.displayName} ${said} ${size} times`
  if (others > 1) return `${first.displayName} and ${others} others ${said}`
  return `${first.displayName} and ${second?.displayName ?? '1 other'} ${said}`
}

/**
 * Returns the latest message, or null for several likes or subscribers, whose title says enough.
 */
export function messageOf({ latest, peopleCount }: NotificationGroup): string | null {
  const isSaid = latest.type === 'like' || latest.type === 'new_subscriber'
  return peopleCount > 1 && isSaid ? null : latest.message
}
