import { expect, test } from 'vitest'
import {
  groupNotifications,
  messageOf,
  titleOf,
} from '#client/account/notification/group-notifications.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'

const person = (id: number) => ({ id, displayName: `Person ${id}`, avatarUrl: null })
let ids = 100
const told = (from: number | null, more: Partial<Notification> = {}): Notification => ({
  id: --ids,
  userId: 1,
  type: 'video_comment',
  title: 'New comment on "Ace"',
  message: `Person ${from}: Nice`,
  sourceUserId: from,
  videoId: 5,
  commentId: ids,
  clipId: null,
  postId: null,
  squadId: null,
  postChannelId: null,
  videoThumbnailUrl: null,
  read: false,
  createdAt: '2026-11-28T10:00:00.000Z',
  sourceUser: from === null ? null : person(from),
  group: { key: 'comments v5 2026-11-28', text: 'commented on "Ace"', people: 1 },
  ...more,
})
const like = (from: number | null, people = 1, more: Partial<Notification> = {}) =>
  told(from, {
    type: 'like',
    group: { key: 'likes v5 2026-11-28', text: 'liked "Ace"', people },
    ...more,
  })
const titles = (...items: Notification[]) => groupNotifications(items).map(titleOf)

test('a notification without a group keeps its own line, title and message', () => {
  const alone = told(2, { title: 'Your channel was edited', group: null })
  const [group, other] = groupNotifications([alone, told(3)])
  expect(group && [titleOf(group), messageOf(group)]).toEqual([
    'Your channel was edited',
    'Person 2: Nice',
  ])
  expect(other && titleOf(other)).toBe('New comment on "Ace"')
  expect(titles(alone, { ...alone, id: 1 })).toHaveLength(2)
})

test('a line names the latest person and the number of others', () => {
  expect(titles(told(2), told(3))).toEqual(['Person 2 and Person 3 commented on "Ace"'])
  expect(titles(told(2), told(3), told(4))).toEqual(['Person 2 and 2 others commented on "Ace"'])
  expect(titles(told(2), told(3), told(2), told(3))).toEqual([
    'Person 2 and Person 3 commented on "Ace"',
  ])
  expect(titles(told(2), told(2), told(2))).toEqual(['Person 2 commented on "Ace", 3 times'])
})

test('a line counts all likes that its notifications collected, even without a name', () => {
  expect(titles(like(2, 3), like(5))).toEqual(['Person 2 and 3 others liked "Ace"'])
  expect(titles(like(null, 3), like(null, 2))).toEqual(['5 people liked "Ace"'])
  expect(titles(like(2), like(null, 1))).toEqual(['Person 2 and 1 other liked "Ace"'])
  expect(groupNotifications([like(2), like(3)]).map(messageOf)).toEqual([null])
})

test('lines are sorted by their latest notification and count the unread ones', () => {
  const groups = groupNotifications([
    told(2, { read: true }),
    like(3),
    told(4),
    told(5, { read: true }),
  ])
  expect(groups.map(({ size, unread, latest }) => [latest.type, size, unread])).toEqual([
    ['video_comment', 3, 1],
    ['like', 1, 1],
  ])
})
