import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const server = setUpHostedSite()

const FOUND = [
  { source: 'chapter', atSeconds: 754, weight: 1, title: 'Ace on Mirage' },
  { source: 'loud', atSeconds: 300, weight: 1, title: null },
  { source: 'scene', atSeconds: 1200, weight: 0.6, title: null },
] as const

/** A member in the studio, with a recording of half an hour in which three moments were found. */
async function openStudio(username: string, viewport = DESKTOP) {
  const { page } = await server.open({ viewport })
  const userId = await register(page, username)
  const id = await writeRows(server, async (db) => {
    const videoUrl = '/media/none/video.mp4'
    const rows = [{ userId, title: 'Evening scrim', duration: 1800, videoUrl }]
    const [videoId = 0] = await addVideos(db, rows)
    for (const moment of FOUND) {
      const row = { ...moment, videoId, userId: null, createdAt: '' }
      await db.insertInto('moments').values(row).execute()
    }
    return videoId
  })
  await page.goto('/studio')
  return { page, id }
}

const times = (page: Page) =>
  page.getByRole('list', { name: 'Moments' }).getByRole('button', { name: /^Play / })
const current = (page: Page) => page.locator('li[aria-current]')

test('the studio proposes the moments of a recording, to walk through, clip and forget by keys', async () => {
  const { page, id } = await openStudio('walker')
  await page.getByRole('link', { name: '3 moments found in Evening scrim' }).click()
  await page.waitForURL(`/studio/moments/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Moments' }).waitFor()
  await current(page).getByText('Ace on Mirage: marked while recording').waitFor()
  expect(await times(page).count()).toBe(3)
  expect(await auditPage(page)).toEqual([])

  await page.keyboard.press('j')
  await current(page).getByText('Louder than usual').waitFor()
  await page.keyboard.press('x')
  await page.getByText('Dismissed 5:00').waitFor()
  await current(page).getByText('New scene').waitFor()
  expect(await times(page).count()).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await times(page).count()) === 3)

  // After a press on a row the keys go on from there.
  await times(page).last().click()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await current(page).getByText('Ace on Mirage').waitFor()
  await page.keyboard.press('Enter')
  const open = current(page).getByRole('link', { name: 'Open the clip' })
  const clipId = Number((await open.getAttribute('href'))?.split('/').at(-1))
  const answer = await page.request.get(`/api/clips/${clipId}`)
  expect(await answer.json()).toMatchObject({
    ...{ title: 'Ace on Mirage', videoId: id, startSeconds: 744, endSeconds: 759 },
  })
})

longTest(
  'on a phone each moment has its buttons below it, and a recording without any says so',
  async () => {
    const { page, id } = await openStudio('pocket', PHONE)
    await page.goto(`/studio/moments/${id}`)
    await page.getByRole('button', { name: 'Make clip of 12:34' }).waitFor()
    expect(await auditPage(page)).toEqual([])
    for (const time of ['12:34', '5:00', '20:00']) {
      await page.getByRole('button', { name: `Dismiss ${time}` }).click()
    }
    await page.getByText('No moments found').waitFor()
    await page.reload()
    await page.getByText('No moments found').waitFor()
  },
)

const TIMELINE = JSON.stringify({
  daterecorded: '1790731591',
  entries: [
    { time: '60000', type: 'usermarker', title: 'Clutch' },
    { time: '1500000', type: 'event', title: 'Defused', possible_clip: 3 },
    { time: '3000000', type: 'event', title: 'After the end' },
  ],
})

longTest(
  'the owner adds the timeline that Steam wrote, takes it back, and reads why another file is none',
  async () => {
    const { page, id } = await openStudio('steamer', PHONE)
    await page.goto(`/studio/moments/${id}`)
    await page.getByRole('button', { name: 'Add a timeline' }).waitFor()
    const choose = (text: string) =>
      page.getByLabel('Timeline file').setInputFiles({
        name: 'timeline.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
    await choose('[]')
    await page.getByRole('alert').getByText('This is no timeline of Steam').waitFor()
    await choose(TIMELINE)
    await page.getByText('2 markers added').waitFor()
    await page.getByText('5 moments found').waitFor()
    await page.getByText('Defused: marked while recording').waitFor()
    expect(await auditPage(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove them' }).click()
    await page.getByText('3 moments found').waitFor()
  },
)

longTest('the studio tells what was found once the work on a recording is over', async () => {
  const { page, id } = await openStudio('waiter')
  // What changes beside the server is not announced.
  await page.route(/live\.onChange/, (route) => route.abort())
  const now = timestamp()
  const times = { runAfter: '2999-01-01T00:00:00.000Z', createdAt: now, startedAt: now }
  await writeRows(server, async (db) => {
    await db.deleteFrom('moments').where('videoId', '=', id).execute()
    const job = { kind: 'ladder', videoId: id, state: 'running', percent: 42, ...times } as const
    await db.insertInto('jobs').values(job).execute()
  })
  await page.reload()
  await page.getByText('Preparing more qualities').waitFor()
  await page.getByRole('link', { name: 'Add moments to Evening scrim' }).waitFor()
  await writeRows(server, async (db) => {
    const row = { ...FOUND[1], videoId: id, userId: null, createdAt: '' }
    await db.insertInto('moments').values(row).execute()
    await db.deleteFrom('jobs').where('videoId', '=', id).execute()
  })
  await page.getByRole('link', { name: '1 moment found in Evening scrim' }).waitFor()
})
