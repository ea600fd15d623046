import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const site = setUpHostedSite()
let admin: { page: Page; problems: string[] }
let adminId: number

beforeAll(async () => {
  admin = await site.open()
  adminId = await register(admin.page, 'ann', await site.setupCode())
})

test('an empty home page says what the site is, who runs it, and what each may do', async () => {
  const { page } = admin
  await page.goto('/')
  await page.getByRole('link', { name: 'Name the site' }).click()
  await page.waitForURL('/admin/welcome')

  await page.request.post('/trpc/site.edit', {
    data: { tagline: 'Clips of ours', rules: 'Be kind' },
  })
  const visitor = (await site.open()).page
  await visitor.goto('/')
  const main = visitor.getByRole('main')
  await main.getByRole('heading', { name: 'Clutch' }).waitFor()
  await main.getByText('Clips of ours').waitFor()
  await main.getByRole('status').getByText('No videos found').waitFor()
  await main.getByRole('link', { name: 'Create an account' }).waitFor()
  const names = await main.getByRole('region').getByRole('link').allTextContents()
  expect(names).toEqual(['Create an account', 'The ann', 'Rules of this site'])
  await register(visitor, 'ben')
  await visitor.goto('/')
  await main.getByRole('link', { name: 'Upload a video' }).waitFor()
  expect(await main.getByRole('link', { name: 'Name the site' }).count()).toBe(0)
  await visitor.context().close()
})

test('a site with one video still says what to do next, and one with four does not', async () => {
  const { page } = admin
  const add = (titles: string[]) =>
    writeRows(site, (db) =>
      addVideos(
        db,
        titles.map((title) => ({ userId: adminId, title })),
      ),
    )
  const first = await add(['The first'])
  await page.goto('/')
  await page.getByRole('heading', { name: 'The first' }).first().waitFor()
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Invite people' }).waitFor()
  const more = await add(['The second', 'The third', 'The fourth'])
  await page.goto('/')
  await page.getByText('The second').first().waitFor()
  expect(await main.getByRole('link', { name: 'Invite people' }).count()).toBe(0)
  await writeRows(site, (db) =>
    db
      .deleteFrom('videos')
      .where('id', 'in', [...first, ...more])
      .execute(),
  )
})

longTest(
  'the checklist leads through its steps, notices the first video and leaves the desk',
  async () => {
    const { page, problems } = admin
    const step = (name: string) => page.getByRole('region', { name, exact: true })
    await page.goto('/admin')
    await page.getByText('0 of 5 steps are done. Next: Name and colour').waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    const look = step('Name and colour')
    await look.getByRole('button', { name: 'Keep as it is' }).waitFor()
    await look.getByLabel('Name', { exact: true }).fill('Friday clips')
    await look.getByRole('button', { name: 'Save and continue' }).click()
    await page.getByRole('link', { name: 'Friday clips, home' }).waitFor()

    // The next step has the focus: the keyboard goes on from there.
    await step('Who can register').getByLabel('Registration').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toContain('Who can register')
    await step('Who can register').getByRole('button', { name: 'Skip' }).press('Enter')
    await step('How uploads come in').getByLabel('New uploads need approval').waitFor()
    await step('How uploads come in').getByRole('button', { name: 'Keep as it is' }).click()
    const reach = step('Where it is reached')
    await reach.getByText('HOST is 127.0.0.1: only programs on this machine get in.').waitFor()
    await reach
      .getByText(/^Links carry http:\/\/127\.0\.0\.1:\d+, an address of your own/)
      .waitFor()
    await reach.getByRole('button', { name: 'Keep as it is' }).click()

    const clip = step('A first video')
    await clip.getByRole('link', { name: 'Upload a video' }).waitFor()
    await writeRows(site, (db) => addVideos(db, [{ userId: adminId, title: 'First blood' }]))
    await page.getByRole('heading', { name: 'Your site is set up' }).waitFor()
    await clip.getByRole('link', { name: 'First blood' }).waitFor()
    await page.getByText('5 of 5').waitFor()

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Views by day').waitFor()
    expect(await page.getByText('Set up your site').count()).toBe(0)
    await page.getByRole('link', { name: 'Set-up checklist' }).click()
    await page.getByRole('button', { name: 'Who can register' }).getByText('Skipped').waitFor()
    expect(problems).toEqual([])
  },
)

longTest('the desk says once what an update changed, and that a newer version is out', async () => {
  const { page } = admin
  await writeRows(site, (db) =>
    changeRows(db, 'siteSettings', {
      where: {},
      values: {
        previousVersion: '0.9.0',
        asksForUpdates: 1,
        updateAddress: 'https://example.org',
        updateAskedAt: new Date().toISOString(),
        updateAnswer: JSON.stringify({ version: '98.7.6', url: 'https://example.org/98.7.6' }),
      },
    }),
  )
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Clutch 98.7.6 is out' }).waitFor()
  await page.getByRole('link', { name: 'Read what is new' }).waitFor()
  await page.getByText('Before the update this site ran 0.9.0.').waitFor()
  await page.getByRole('button', { name: 'What changed' }).click()
  await page.getByRole('heading', { name: 'Added' }).waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Before the update').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText(/^Clutch \d+\.\d+\.\d+( \([\da-f]{7}\))?$/).waitFor()
  expect(await page.getByText('Before the update').count()).toBe(0)
  await page.goto('/admin/settings')
  await page.getByText('Last asked: Just now. Clutch 98.7.6 is out.').waitFor()
})
