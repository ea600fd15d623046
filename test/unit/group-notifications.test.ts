import { expect, test } from 'vitest'
import { groupNotifications, messageOf, titleOf } from '#shared/group-notifications.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'

const person = (id: number) => ({ id, displayName: `Person ${id}`, avatarUrl: null })
let ids = 100
const counted = (group: {
  key: string
  text: string
  size?: number
  unread?: number
  people?: number
}) => ({ size: 1, unread: 1, people: 1, ...group })
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
  group: counted({ key: 'comments v5 2026-11-28', text: 'commented on "Ace"' }),
  ...more,
})
const like = (from: number | null, people = 1, size = 1) =>
  told(from, {
    type: 'like',
    group: counted({ key: 'likes v5 2026-11-28', text: 'liked "Ace"', people, size }),
  })
/** Comments on a video, of so many people as the names say, unless told otherwise. */
const comments = (names: number[], more: { size?: number; people?: number } = {}) => {
  const counts = { size: names.length, people: new Set(names).size, ...more }
  const group = counted({ key: 'comments', text: 'commented on "Ace"', ...counts })
  return names.map((name) => told(name, { group }))
}
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
  expect(titles(...comments([2, 3]))).toEqual(['Person 2 and Person 3 commented on "Ace"'])
  expect(titles(...comments([2, 3, 4]))).toEqual(['Person 2 and 2 others commented on "Ace"'])
  expect(titles(...comments([2, 3, 2, 3]))).toEqual(['Person 2 and Person 3 commented on "Ace"'])
  expect(titles(...comments([2, 2, 2]))).toEqual(['Person 2 commented on "Ace" 3 times'])
})

test('a line counts those of its group whom the page does not list', () => {
  const many = comments([2, 3], { size: 120, people: 40 })
  expect(titles(...many)).toEqual(['Person 2 and 39 others commented on "Ace"'])
  expect(groupNotifications(many).map(({ size }) => size)).toEqual([120])
})

test('a line counts all likes that its notifications collected, even without a name', () => {
  expect(titles(like(2, 4, 2), like(5, 4, 2))).toEqual(['Person 2 and 3 others liked "Ace"'])
  expect(titles(like(null, 5, 2))).toEqual(['5 people liked "Ace"'])
  expect(titles(like(2, 2, 2))).toEqual(['Person 2 and 1 other liked "Ace"'])
  expect(groupNotifications([like(2, 2, 2)]).map(messageOf)).toEqual([null])
})

test('one notification that collected several likes names them as a group does', () => {
  const [group] = groupNotifications([like(2, 3)])
  expect(group && [titleOf(group), messageOf(group)]).toEqual([
    'Person 2 and 2 others liked "Ace"',
    null,
  ])
})

test('lines are sorted by their latest notification', () => {
  const [one, other] = comments([2, 4], { size: 3 })
  const groups = groupNotifications([one, like(3), other].flatMap((item) => item ?? []))
  expect(groups.map(({ size, unread, latest }) => [latest.type, size, unread])).toEqual([
    ['video_comment', 3, 1],
    ['like', 1, 1],
  ])
})
