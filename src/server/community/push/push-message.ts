import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  groupKeyOf,
  groupNotifications,
  messageOf,
  type NotificationGroup,
  titleOf,
} from '#shared/group-notifications.ts'
import { addressOf, linkOf } from '#shared/notification-link.ts'
import type { PushMessage } from '#shared/push.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { listNotifications } from '../notification/notification-list.queries.ts'
import { listWanted } from './push.queries.ts'

const ALL_PAGE = '/notifications'
const NOTIFICATIONS_MAX = 100
const TITLES_SHOWN = 3
/** A message has at most 3993 bytes (RFC 8291), and systems show even less. */
const TITLE_MAX = 120
const BODY_MAX = 240

/**
 * Writes one message about the notifications that the bell shows now. It leaves out notifications that were read, or
 * whose content the member can no longer see.
 * @returns undefined if no notification is left
 */
export async function composeMessage(
  db: Database,
  { viewer, notificationIds }: { viewer: Viewer; notificationIds: number[] },
): Promise<PushMessage | undefined> {
  const wanted = new Set(await listWanted(db, { userId: viewer.id, notificationIds }))
  if (wanted.size === 0) return undefined
  const asked = { viewer, filter: 'unread', isGrouped: true, limit: NOTIFICATIONS_MAX } as const
  const { items } = await listNotifications(db, asked)
  const keys = new Set(items.filter(({ id }) => wanted.has(id)).map(groupKeyOf))
  const all = groupNotifications(items)
  const unread = all.reduce((sum, group) => sum + group.unread, 0)
  const groups = all.filter(({ latest }) => keys.has(groupKeyOf(latest)))
  const [first] = groups
  if (!first) return undefined
  return { ...(groups.length === 1 ? tellOf(first) : sumUp(groups)), unread }
}

function tellOf(group: NotificationGroup): PushMessage {
  const { latest } = group
  const body = messageOf(group)
  const link = linkOf(latest)
  return {
    title: cutText(titleOf(group), TITLE_MAX),
    ...(body !== null && { body: cutText(body, BODY_MAX) }),
    link: link ? addressOf(link) : ALL_PAGE,
    tag: groupKeyOf(latest),
    id: latest.id,
  }
}

function sumUp(groups: NotificationGroup[]): PushMessage {
  const titles = groups.slice(0, TITLES_SHOWN).map((group) => cutText(titleOf(group), TITLE_MAX))
  return {
    title: `${groups.length} new notifications`,
    body: titles.join('\n'),
    link: ALL_PAGE,
    tag: 'several',
  }
}
