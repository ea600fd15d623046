import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, openPage, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { setConnected } from '#test/support/connection.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { startServer } from '#test/support/server-process.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

/*
 * The specification's catalogue, apart from what stands with its feature: 'Login failed' (auth), 'Error loading
 * videos' (home), 'Error searching for videos' (search), 'Error Loading Video' (watch), 'Video playback error'
 * (player), 'Profile Not Found' and 'Subscribed' (profile), 'Failed to load your videos', 'Video updated
 * successfully' and 'Video deleted' (studio), 'Welcome back!' and 'Logged out' (auth), 'Account created!',
 * 'Comment added' and 'Reply added' (keyboard). 'No video selected for editing' cannot come up: the dialog opens
 * with a video. The defaults for an answer without words cannot either: every answer of this server has some.
 */

const server = setUpHostedSite()
let people = 0

async function openMember() {
  people += 1
  const { page } = await server.open()
  return { page, memberId: await register(page, `member${people}`) }
}

/** The member of all rows that leave nothing behind. */
let shared: Awaited<ReturnType<typeof openMember>>
beforeAll(async () => {
  shared = await openMember()
})

/** A member on their way, and a video of another member. */
type Scene = { page: Page; memberId: number; videoId: number; ownerId: number }

async function openScene(member?: typeof shared): Promise<Scene> {
  const { page, memberId } = member ?? (await openMember())
  people += 1
  const { ownerId, videoId } = await writeRows(server, async (db) => {
    const owner = await addMember(db, `Owner ${people}`)
    const [id = 0] = await addVideos(db, [{ userId: owner, title: 'A match', duration: 60 }])
    return { ownerId: owner, videoId: id }
  })
  return { page, memberId, videoId, ownerId }
}

const behindTheirBack = (act: (db: Database) => Promise<unknown>) => writeRows(server, act)

const openWatch = async ({ page, videoId }: Scene) => {
  await page.goto(`/video/${videoId}`)
  await page.getByText('No comments yet').waitFor()
}

const deleteVideo = (id: number) =>
  behindTheirBack((db) => db.deleteFrom('videos').where('id', '=', id).execute())

const comment = async (page: Page) => {
  await page.getByRole('textbox', { name: 'Add a comment' }).fill('Nice')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
}

const openNotifications = async ({ page, memberId }: Scene) => {
  const row = { userId: memberId, type: 'like' as const, title: 'New like', message: 'Somebody' }
  await behindTheirBack((db) => addRows(db, 'notifications', { ...row, createdAt: timestamp() }))
  await page.goto('/library')
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page.getByRole('button', { name: 'Mark as read', exact: true }).waitFor()
}

const deleteNotifications = ({ memberId }: Scene) =>
  behindTheirBack((db) => db.deleteFrom('notifications').where('userId', '=', memberId).execute())

const openStudio = async ({ page, memberId }: Scene) => {
  const [id = 0] = await writeRows(server, (db) =>
    addVideos(db, [{ userId: memberId, title: 'Own match' }]),
  )
  await page.goto('/studio')
  await page.getByRole('article', { name: 'Own match' }).waitFor()
  return id
}

const chooseVideo = async (page: Page, path: string) => {
  await page.goto('/upload')
  await page.getByText('Click to select a video file').waitFor()
  await page.locator('input[type=file]').first().setInputFiles(path)
  await page.getByLabel('Title').waitFor()
}

const pressUpload = (page: Page) => page.getByRole('button', { name: 'Upload Video' }).click()

type Row = {
  title: string
  text: RegExp
  /** A success is announced politely. */
  role?: 'status'
  /** It leaves a member behind who can do nothing else. */
  isLast?: true
  provoke: (scene: Scene) => Promise<void>
}

const GONE = '404: This video could not be found or is no longer available\\.'

const ROWS: Row[] = [
  {
    title: 'Registration failed',
    text: /^Username or email is already in use\.$/,
    isLast: true,
    async provoke({ page }) {
      await page.context().clearCookies()
      await page.goto('/auth?tab=register')
      await page.getByLabel('Username').fill('MEMBER1')
      await page.getByLabel('Email').fill('new@example.org')
      await page.getByLabel('Display Name').fill('New')
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await page.getByLabel('Confirm Password').fill('correct horse')
      await page.getByRole('button', { name: 'Register' }).click()
    },
  },
  {
    title: 'Logout failed',
    text: /^The server could not be reached\./,
    isLast: true,
    async provoke({ page }) {
      await page.goto('/library')
      await page.getByRole('button', { name: 'User menu' }).click()
      await page.getByRole('button', { name: 'Logout' }).waitFor()
      await setConnected(page, false)
      await page.getByRole('button', { name: 'Logout' }).click()
    },
  },
  {
    title: 'Error',
    text: new RegExp(`^Failed to add comment: ${GONE}$`),
    async provoke(scene) {
      await openWatch(scene)
      await deleteVideo(scene.videoId)
      await comment(scene.page)
    },
  },
  {
    title: 'Error',
    text: /^Failed to like comment: 404: There is no such comment\.$/,
    async provoke(scene) {
      const { page, videoId } = scene
      await page.request.post('/api/comments', { data: { videoId, content: 'Gone soon' } })
      await page.goto(`/video/${videoId}`)
      await page.getByText('Gone soon').waitFor()
      await behindTheirBack((db) =>
        db.deleteFrom('comments').where('videoId', '=', videoId).execute(),
      )
      await page
        .getByRole('article', { name: /^Comment by/ })
        .getByRole('button', { name: /^Like/ })
        .click()
    },
  },
  {
    title: 'Error',
    text: new RegExp(`^Failed to save rating: ${GONE}$`),
    async provoke(scene) {
      await openWatch(scene)
      await deleteVideo(scene.videoId)
      await scene.page.getByRole('button', { name: /^Dislike/ }).click()
    },
  },
  {
    title: 'Error',
    text: /^Failed to subscribe: 404: There is no such channel\.$/,
    async provoke({ page, ownerId }) {
      await page.goto(`/profile/${ownerId}`)
      await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
      await behindTheirBack((db) => db.deleteFrom('users').where('id', '=', ownerId).execute())
      await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    },
  },
  {
    title: 'Error',
    text: /^Failed to unsubscribe: 404: There is no such channel\.$/,
    async provoke({ page, ownerId }) {
      await page.request.post('/api/subscriptions', { data: { channelId: ownerId } })
      await page.goto(`/profile/${ownerId}`)
      await page.getByRole('main').getByRole('button', { name: 'Subscribed' }).waitFor()
      await behindTheirBack((db) => db.deleteFrom('users').where('id', '=', ownerId).execute())
      await page.getByRole('main').getByRole('button', { name: 'Subscribed' }).click()
    },
  },
  {
    title: 'Error',
    text: /^Please select a video file first$/,
    async provoke({ page }) {
      await page.goto('/upload')
      await pressUpload(page)
    },
  },
  {
    title: 'Upload Failed',
    text: /^Failed to initialize upload: 429: .+\.$/,
    isLast: true,
    async provoke({ page }) {
      for (const fileName of ['1.mp4', '2.mp4', '3.mp4']) {
        await page.request.post('/api/uploads/initialize', {
          data: { fileName, fileSize: 5, fileType: 'video/mp4', metadata: { title: 'Open' } },
        })
      }
      await chooseVideo(
        page,
        await makeClip({ path: join(server.dataFolder, 'fourth.mp4'), seconds: 1 }),
      )
      await pressUpload(page)
    },
  },
  {
    // The chunk is held back until its upload is gone, then the real server refuses it.
    title: 'Upload Failed',
    text: /^Failed to upload chunk 0: Server error: 404 There is no such upload\.$/,
    isLast: true,
    async provoke({ page, memberId }) {
      await page.route(/uploads\/chunk/, async (route) => {
        await behindTheirBack((db) =>
          db.deleteFrom('uploads').where('userId', '=', memberId).execute(),
        )
        await route.continue()
      })
      await chooseVideo(
        page,
        await makeClip({ path: join(server.dataFolder, 'lost.mp4'), seconds: 1 }),
      )
      await pressUpload(page)
    },
  },
  {
    // nginx answers a chunk that its client_max_body_size leaves out with a page of its own.
    title: 'Upload Failed',
    text: /^Failed to upload chunk 0: Server error: 413 A proxy in front of the site refuses requests of this size\. An admin can raise its limit\.$/,
    isLast: true,
    async provoke({ page }) {
      const body =
        '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n<center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n'
      await page.route(/uploads\/chunk/, (route) =>
        route.fulfill({ status: 413, contentType: 'text/html', body }),
      )
      await chooseVideo(
        page,
        await makeClip({ path: join(server.dataFolder, 'large.mp4'), seconds: 1 }),
      )
      await pressUpload(page)
    },
  },
  {
    title: 'Upload Failed',
    text: /^Failed to complete upload: 422: .+\.$/,
    isLast: true,
    async provoke({ page }) {
      const path = join(server.dataFolder, 'letter.mp4')
      // It begins as an MP4 does: what is plainly none is not sent.
      await writeFile(path, '\0\0\0\x18ftypisom and so on: this is not a video.')
      await chooseVideo(page, path)
      await pressUpload(page)
    },
  },
  {
    title: 'Failed to update video',
    text: new RegExp(GONE),
    async provoke(scene) {
      const id = await openStudio(scene)
      await scene.page.getByRole('button', { name: 'Edit' }).click()
      const dialog = scene.page.getByRole('dialog', { name: 'Edit Video' })
      await dialog.getByLabel('Title').fill('Another title')
      await deleteVideo(id)
      await dialog.getByRole('button', { name: 'Save Changes' }).click()
    },
  },
  {
    title: 'Failed to delete video',
    text: new RegExp(GONE),
    async provoke(scene) {
      const id = await openStudio(scene)
      await scene.page.getByRole('button', { name: 'Delete' }).click()
      await deleteVideo(id)
      const dialog = scene.page.getByRole('dialog', { name: 'Delete Video' })
      await dialog.getByRole('button', { name: 'Delete Video' }).click()
    },
  },
  {
    title: 'Error marking notification as read',
    text: /^There is no such notification\.$/,
    async provoke(scene) {
      await openNotifications(scene)
      await deleteNotifications(scene)
      await scene.page.getByRole('button', { name: 'Mark as read', exact: true }).click()
    },
  },
  {
    title: 'Error deleting notification',
    text: /^There is no such notification\.$/,
    async provoke(scene) {
      await openNotifications(scene)
      await deleteNotifications(scene)
      await scene.page.getByRole('button', { name: 'Delete notification' }).click()
    },
  },
  {
    title: 'Error marking notifications as read',
    text: /^Please sign in/,
    isLast: true,
    async provoke(scene) {
      await openNotifications(scene)
      await behindTheirBack((db) =>
        db.deleteFrom('sessions').where('userId', '=', scene.memberId).execute(),
      )
      await scene.page.getByRole('button', { name: 'Mark all as read' }).click()
    },
  },
  {
    title: 'All notifications marked as read',
    text: /^All notifications marked as read$/,
    role: 'status',
    async provoke(scene) {
      await openNotifications(scene)
      await scene.page.getByRole('button', { name: 'Mark all as read' }).click()
    },
  },
  {
    title: 'Success',
    text: /^Your rating has been saved$/,
    role: 'status',
    async provoke(scene) {
      await openWatch(scene)
      await scene.page.getByRole('button', { name: /^Like/ }).click()
    },
  },
  {
    title: 'Share',
    text: /^Video link copied to clipboard\.$/,
    role: 'status',
    async provoke(scene) {
      await openWatch(scene)
      await scene.page.getByRole('button', { name: 'Share', exact: true }).click()
    },
  },
  {
    title: 'Upload Successful',
    text: /^Your video has been uploaded and processed successfully\.$/,
    isLast: true,
    role: 'status',
    async provoke({ page }) {
      await chooseVideo(
        page,
        await makeClip({ path: join(server.dataFolder, 'good.mp4'), seconds: 1 }),
      )
      await pressUpload(page)
    },
  },
]

const toastOf = (page: Page, role: 'alert' | 'status' = 'alert') =>
  page.getByRole('region', { name: 'Messages (F8)' }).getByRole(role)

test.each(isLongForm ? ROWS : ROWS.filter((_, index) => index % 8 === 0))(
  "the toast '$title' says $text",
  async ({ title, text, role, isLast, provoke }) => {
    const scene = await openScene(isLast ? undefined : shared)
    await provoke(scene)
    const toast = toastOf(scene.page, role)
    await toast.getByText(title, { exact: true }).first().waitFor()
    await toast.getByText(text).first().waitFor()
  },
)

longTest('what is done too often is refused in the same place', async () => {
  // With the limits that a site has.
  const strict = await startServer({ env: { RATE_LIMIT_SCALE: '1' } })
  const visitor = await openPage(server.browser, { origin: strict.origin })
  await register(visitor.page, 'hasty')
  await visitor.page.context().close()
  const late = await openPage(server.browser, { origin: strict.origin })
  for (let count = 0; count < 10; count++) {
    await late.page.request.post('/api/login', {
      data: { username: 'hasty', password: 'wrong horse' },
    })
  }
  await late.page.goto('/auth')
  await late.page.getByLabel('Username').fill('hasty')
  await late.page.getByLabel('Password', { exact: true }).fill('correct horse')
  await late.page.getByRole('button', { name: 'Login' }).click()
  const toast = toastOf(late.page)
  await toast.getByText('Login failed').waitFor()
  await toast.getByText('Too many failed attempts. Please wait a few minutes').waitFor()
  await late.page.context().close()
  await strict.remove()
})

longTest('an upload given up says so, and can be begun again', async () => {
  const { page } = await openScene()
  // Held back for long enough to press the button; nothing is answered in the server's place.
  const held = Promise.withResolvers<void>()
  await page.route(/uploads\/chunk/, async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  await chooseVideo(
    page,
    await makeClip({ path: join(server.dataFolder, 'given-up.mp4'), seconds: 1 }),
  )
  await pressUpload(page)
  await page.getByRole('button', { name: 'Cancel Upload' }).click()
  await page
    .getByRole('region', { name: 'Upload status' })
    .getByText('Upload cancelled by user')
    .first()
    .waitFor()
  held.resolve()
  expect(await page.getByRole('button', { name: 'Upload Video' }).isEnabled()).toBe(true)
})

test('comments that cannot be loaded say why and can be asked for again', async () => {
  const { page, videoId } = await openScene()
  // The server either answers the whole page or nothing of it: one call alone is cut off here.
  await page.route(/comment\.list/, (route) => route.abort())
  await page.goto('/')
  await page.getByRole('link', { name: 'A match', exact: true }).first().waitFor()
  await page.goto(`/video/${videoId}`)
  await page.getByText('Error loading comments: The server could not be reached.').waitFor()
  await page.unroute(/comment\.list/)
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No comments yet').waitFor()
})

test('toasts come one at a time, stay five seconds, and are swiped away to the right', async () => {
  const { page } = await openScene()
  await page.clock.install()
  await page.goto('/upload')
  const region = page.getByRole('region', { name: 'Messages (F8)' })
  // What goes away is still there for the moment that it takes, unseen.
  const words = region.getByText('Please select a video file first').filter({ visible: true })
  await pressUpload(page)
  await words.waitFor()
  await pressUpload(page)
  expect(await words.count()).toBe(1)
  // The clock goes on by itself, too: a busy machine takes a part of the second that is left.
  await page.clock.runFor(4000)
  expect(await words.count()).toBe(1)
  await page.clock.runFor(1200)
  await words.waitFor({ state: 'detached' })

  const swipe = async (distance: number) => {
    const box = await words.boundingBox()
    if (!box) throw new Error('There is no toast to swipe.')
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x + 5 + distance, box.y + 5, { steps: 4 })
    await page.mouse.up()
  }
  await pressUpload(page)
  await words.waitFor()
  await swipe(40)
  await words.waitFor()
  await swipe(-80)
  await words.waitFor()
  await swipe(60)
  await words.waitFor({ state: 'detached' })
})

test('a toast keeps its corner when a dialog opens', async () => {
  const scene = await openScene()
  const { page } = scene
  await openWatch(scene)
  await comment(page)
  const region = page.getByRole('region', { name: 'Messages (F8)', includeHidden: true })
  await region.getByText('Comment added').waitFor()
  const corner = () =>
    region.evaluate((element) => {
      const { left, right, top } = element.getBoundingClientRect()
      return innerWidth < 768 ? { left, top } : { right, top }
    })
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await page.getByRole('button', { name: /^Actions for the comment by/ }).click()
    const before = await corner()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
    expect(await corner()).toEqual(before)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
})

test('a failed upload is told once', async () => {
  const { page, memberId } = await openScene()
  await behindTheirBack((db) =>
    db.updateTable('users').set({ quotaBytes: 1024 }).where('id', '=', memberId).execute(),
  )
  await chooseVideo(page, await makeClip({ path: join(server.dataFolder, 'over.mp4'), seconds: 1 }))
  await page.clock.install()
  await pressUpload(page)
  const reason = page.getByText(/over your storage quota/)
  await page.getByText('Upload Failed').waitFor()
  await page.getByRole('button', { name: 'Retry Upload' }).waitFor()
  expect(await reason.filter({ visible: true }).count()).toBe(1)
  expect(await page.getByRole('alert').filter({ hasText: /\w/ }).count()).toBe(1)
  await page.clock.runFor(6000)
  await page.getByText('Upload Failed').waitFor({ state: 'detached' })
  expect(await reason.count()).toBe(1)
})
