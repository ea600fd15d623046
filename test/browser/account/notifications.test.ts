import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import type { NotificationType } from '#server/platform/db/tables/community.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, keepPicture } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

const NAMES = ['Tom', 'Mia', 'Juno', 'Kai', 'Ravi']
const ago = (minutes: number) => timestamp(new Date(Date.now() - minutes * 60_000))
let written = 0

/** Adds a video with comments of five members, likes of two, and one new subscriber. */
async function fillInbox(userId: number) {
  written += 1
  return writeRows(server, async (db) => {
    const people: number[] = []
    for (const name of NAMES) people.push(await addMember(db, `${name} ${written}`))
    const [videoId = 0] = await addVideos(db, [{ userId, title: `Ace ${written}` }])
    const comments = people.map((id, at) => ({
      ...{ videoId, userId: id, content: `Comment ${at}`, createdAt: ago(30 - at) },
    }))
    await addRows(db, 'comments', comments)
    const stored = await db
      .selectFrom('comments')
      .select('id')
      .where('videoId', '=', videoId)
      .orderBy('id')
      .execute()
    const day = timestamp().slice(0, 10)
    const row = { userId, videoId }
    await addRows(
      db,
      'notifications',
      people.map((id, at) => ({
        ...{ ...row, type: 'video_comment' as const, title: `New comment on "Ace ${written}"` },
        ...{ message: `${NAMES[at]} ${written}: Comment ${at}`, sourceUserId: id },
        ...{ commentId: stored[at]?.id ?? 0, createdAt: ago(30 - at) },
        ...{ groupKey: `comments v${videoId} ${day}`, groupText: `commented on "Ace ${written}"` },
      })),
    )
    await addRows(db, 'notifications', {
      ...{ ...row, type: 'like' as const, title: 'New like', sourceUserId: people[1] ?? 0 },
      ...{
        message: `2 people liked "Ace ${written}"`,
        createdAt: ago(10),
        sourceCount: 2,
        read: 0 as const,
      },
      ...{ groupKey: `likes v${videoId} ${day}`, groupText: `liked "Ace ${written}"` },
    })
    await addRows(db, 'notifications', {
      ...{ userId, type: 'new_subscriber' as const, title: 'New subscriber' },
      ...{ message: `Kai ${written} subscribed to your channel`, sourceUserId: people[3] ?? 0 },
      ...{ createdAt: ago(60 * 30), read: 1 as const },
    })
    return { videoId, names: NAMES.map((name) => `${name} ${written}`), title: `Ace ${written}` }
  })
}

const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })
const buttonOf = (page: Page, name: string, text: string) =>
  rowOf(page, text).getByRole('button', { name })

test('the bell combines five comments in one line, which leads to the latest comment', async () => {
  const { page, problems } = await server.open()
  const { videoId, names, title } = await fillInbox(await register(page, 'story'))
  await page.goto('/history')
  await page.getByRole('button', { name: 'Notifications, 6 unread' }).click()
  const text = `${names[4]} and 4 others commented on "${title}"`
  const line = rowOf(page, text)
  await line.getByText('5 new').waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'Comment' }).count()).toBe(1)
  expect(await auditPage(page)).toEqual([])
  await keepPicture(page, 'notification-panel')
  // The buttons appear with the pointer and take no width from the text.
  const actions = line.getByRole('button', { name: 'Delete notification' })
  const opacity = () =>
    actions.evaluate((one) => getComputedStyle(one.parentElement ?? one).opacity)
  expect(await opacity()).toBe('0')
  const box = await line.boundingBox()
  const [left, bottom] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + (box?.height ?? 0) - 6]
  await page.mouse.move(left, bottom)
  await expect.poll(opacity).toBe('1')
  await keepPicture(page, 'notification-panel-hover')
  // Clicks the row beside its words.
  await page.mouse.click(left, bottom)
  await page.waitForURL(`/video/${videoId}#comment-*`)
  const comment = page.getByRole('article', { name: `Comment by ${names[4]}` })
  await expect.poll(() => comment.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
})

test('the notifications page shows days and filters, and its actions apply to whole groups', async () => {
  const { page, problems } = await server.open()
  const { names, title } = await fillInbox(await register(page, 'pager'))
  await page.goto('/history')
  await page.getByRole('button', { name: 'Notifications, 6 unread' }).click()
  await page.getByRole('link', { name: 'See all' }).click()
  await page.waitForURL('/notifications')
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await keepPicture(page, 'notifications-page')
  await page.getByRole('tab', { name: 'Likes' }).click()
  await page.waitForURL('/notifications?show=likes')
  await rowOf(page, `${names[1]} and 1 other liked "${title}"`).waitFor()
  await rowOf(page, 'commented on').waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Videos' }).click()
  await page.getByText('No notifications').waitFor()
  await page.getByRole('tab', { name: 'Unread' }).click()
  await rowOf(page, 'commented on').waitFor()
  expect(await rowOf(page, 'subscribed to your channel').count()).toBe(0)
  await buttonOf(page, 'Mark as read', 'commented on').click()
  await rowOf(page, 'commented on').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  await page.getByRole('tab', { name: 'All' }).click()
  await buttonOf(page, 'Delete notification', 'commented on').click()
  await rowOf(page, 'commented on').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await page.reload()
  await rowOf(page, `${names[1]} and 1 other liked "${title}"`).waitFor()
  expect(await rowOf(page, 'commented on').count()).toBe(0)
  expect(problems).toEqual([])
})

const SIGNS: [type: NotificationType, sign: string][] = [
  ['comment', 'message-circle-filled'],
  ['comment_reply', 'message-circle-filled'],
  ['video_comment', 'message-circle-filled'],
  ['subscription', 'chart-bar'],
  ['new_subscriber', 'chart-bar'],
  ['upload', 'video-filled'],
  ['like', 'heart-filled'],
]

longTest('each kind of notification has its sign, and news of a squad a shield', async () => {
  const { page } = await server.open()
  const userId = await register(page, 'signs')
  await writeRows(server, async (db) => {
    const sourceUserId = await addMember(db, 'Signer')
    const now = timestamp()
    const look = { colour: 'lime', emblem: 'moon', joining: 'open' } as const
    const squad = { name: 'Owls', tag: 'OWLS', foldedTag: 'owls', createdAt: now }
    await addRows(db, 'squads', { ...squad, ...look })
    const { id: squadId } = await db.selectFrom('squads').select('id').executeTakeFirstOrThrow()
    const post = { channelId: sourceUserId, content: 'At nine', createdAt: now }
    await addRows(db, 'posts', post)
    const { id: postId } = await db.selectFrom('posts').select('id').executeTakeFirstOrThrow()
    const row = { userId, sourceUserId, message: '', createdAt: now }
    for (const [type] of SIGNS)
      await addRows(db, 'notifications', { ...row, type, title: `Kind ${type}.`, postId })
    await addRows(db, 'notifications', { ...row, type: 'upload', title: 'Of a squad', squadId })
  })
  await page.goto('/notifications')
  const signOf = (title: string) => rowOf(page, title).locator('[data-type] svg')
  for (const [type, sign] of SIGNS) {
    await page.getByText(`Kind ${type}.`).waitFor()
    expect(await signOf(`Kind ${type}.`).getAttribute('class')).toContain(`tabler-icon-${sign}`)
  }
  expect(await signOf('Of a squad').getAttribute('class')).toContain('tabler-icon-shield-filled')
})

longTest('a swipe on a phone reveals the actions of a notification', async () => {
  const { page, problems } = await server.open({ isPhone: true })
  await fillInbox(await register(page, 'swiper'))
  await page.goto('/notifications')
  const line = rowOf(page, 'commented on')
  await line.waitFor()
  expect(await auditPage(page)).toEqual([])
  await keepPicture(page, 'notifications-phone')
  const remove = line.getByRole('button', { name: 'Delete notification' })
  const isSeen = () => remove.evaluate((one) => one.getBoundingClientRect().right <= innerWidth)
  expect(await isSeen()).toBe(false)
  const box = await line.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 40]
  const session = await page.context().newCDPSession(page)
  await session.send('Input.synthesizeScrollGesture', { x, y, xDistance: -160, yDistance: 0 })
  await expect.poll(isSeen).toBe(true)
  await keepPicture(page, 'notifications-phone-swiped')
  const { width = 0, height = 0 } = (await remove.boundingBox()) ?? {}
  expect([width, height].every((size) => size >= 44)).toBe(true)
  await remove.tap()
  await line.waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

longTest('a member can turn off a kind of notification in the settings', async () => {
  const { page, problems } = await server.open()
  await register(page, 'quiet')
  await page.goto('/notifications')
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await page.waitForURL('/settings#notifications')
  const likes = page.getByRole('switch', { name: 'Likes' })
  // The switch moves before the answer has come.
  const saved = page.waitForResponse(/notification\.choose/)
  await likes.click()
  await expect.poll(() => likes.isChecked()).toBe(false)
  await saved
  await page.reload()
  await expect.poll(() => likes.isChecked()).toBe(false)
  expect(await page.getByRole('switch', { name: 'New subscribers' }).isChecked()).toBe(true)
  await keepPicture(page, 'settings-notifications')
  expect(problems).toEqual([])
})

longTest(
  'the bell and the notifications page show admins open reports and a new version',
  async () => {
    const { page, problems } = await server.open()
    await register(page, 'warden', await server.setupCode())
    await writeRows(server, async (db) => {
      const report = { kind: 'channel' as const, channelId: 1, subject: 'A name', reason: 'Spam' }
      await addRows(db, 'reports', { ...report, state: 'open', createdAt: timestamp() })
      await db
        .updateTable('siteSettings')
        .set({
          asksForUpdates: 1,
          updateAddress: 'https://example.org/latest',
          updateAnswer: JSON.stringify({ version: '98.7.6', url: null }),
        })
        .execute()
    })
    await page.goto('/history')
    await page.getByRole('button', { name: 'Notifications, 2 for admins' }).click()
    const waiting = page.getByRole('list', { name: 'Waiting for you' })
    await waiting.getByRole('link', { name: 'Version 98.7.6 is out' }).waitFor()
    expect(await waiting.getByRole('listitem').count()).toBe(2)
    await page.getByRole('link', { name: 'See all' }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waiting.getByRole('link', { name: '1 open report' }).click()
    await page.waitForURL('/admin/reports')
    expect(problems).toEqual([])
  },
)
