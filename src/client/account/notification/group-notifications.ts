import type { Notification } from '#shared/schemas/community.schemas.ts'

/** Holds what one row of the list shows. Most groups have a single notification. */
export type NotificationGroup = {
  latest: Notification
  /** Counts the notifications of the group that are loaded. */
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
    const key = item.group?.key ?? `alone ${item.id}`
    const group = groups.get(key)
    if (group) add(group, item)
    else groups.set(key, add({ ...EMPTY, latest: item, people: [] }, item))
  }
  return [...groups.values()]
}

const EMPTY = { size: 0, unread: 0, peopleCount: 0 }

function add(group: NotificationGroup, item: Notification): NotificationGroup {
  const { sourceUser, group: told } = item
  const isKnown = group.people.some((person) => person.id === sourceUser?.id)
  if (sourceUser && !isKnown) group.people.push(sourceUser)
  group.size += 1
  if (!item.read) group.unread += 1
  // A member likes a video only once, so people counted by one notification are not counted yet.
  const more = told?.people ?? 1
  if (more > 1 || !isKnown) group.peopleCount += more
  return group
}

/**
 * Returns a title such as 'Tom and 4 others commented on "Ace"'. A single notification keeps its
 * own title.
 */
export function titleOf({ latest, size, people, peopleCount }: NotificationGroup): string {
  if (size === 1 || !latest.group) return latest.title
  const said = latest.group.text
  const [first, second] = people
  if (!first) return `${peopleCount} people ${said}`
  const others = peopleCount - 1
  if (others === 0) return `${first.displayName} ${said}, ${size} times`
  if (others > 1) return `${first.displayName} and ${others} others ${said}`
  return `${first.displayName} and ${second?.displayName ?? '1 other'} ${said}`
}

/**
 * Returns the latest message, or null for several likes or subscribers, whose title says enough.
 */
export function messageOf({ latest, size }: NotificationGroup): string | null {
  const isSaid = latest.type === 'like' || latest.type === 'new_subscriber'
  return size > 1 && isSaid ? null : latest.message
}
