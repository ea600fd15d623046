import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage, showScheme } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
let page: Page
let problems: string[]
let owner: Page

beforeAll(async () => {
  ;({ page, problems } = await server.open())
  await register(page, 'chief', await server.setupCode())
  ;({ page: owner } = await server.open())
})

const REASON = 'Reason (they will see it)'
const LONG_REASON =
  'It shows another game than the one that it is filed under, as its second half says. '
    .repeat(5)
    .trim()
/** Nothing of its text is hidden by its box. */
const isWhole = (text: Locator) =>
  text.evaluate(
    (one) => one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1,
  )
const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true })
const expectAccessible = async () => {
  for (const scheme of isLongForm ? ['dark', 'light'] : ['dark']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
  }
}

test('an admin edits a video on its page and moves it from its card, and its owner is notified why', async () => {
  const ownerId = await register(owner, 'maker')
  const [id] = await writeRows(server, (db) => addVideos(db, [{ userId: ownerId, title: 'Rude' }]))
  await page.goto(`/video/${id}`)
  const more = page.getByRole('button', { name: 'More actions' })
  await more.press('Enter')
  await menuItem('Edit').waitFor()
  // At 1440 × 900 the menu opens where it fits, although the items of admins come later.
  await expect
    .poll(() => page.getByRole('menu').evaluate((menu) => menu.getBoundingClientRect().bottom))
    .toBeLessThanOrEqual(900)
  await expectAccessible()
  await menuItem('Edit').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit "Rude"' })
  await dialog.getByLabel('Title').fill('Loot run')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await dialog.getByText('Please say in a few words why.').waitFor()
  await dialog.getByLabel(REASON).fill('No insults in titles')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Loot run' }).waitFor()
  await expect.poll(() => more.evaluate((button) => button.matches(':focus'))).toBe(true)

  await page.setViewportSize(PHONE)
  await page.goto('/')
  await page.getByRole('button', { name: 'Actions for Loot run' }).first().click()
  await menuItem('Move to another game').click()
  const move = page.getByRole('dialog', { name: 'Move "Loot run" to another game?' })
  await move.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Rust' }).click()
  await move.getByLabel(REASON).fill(LONG_REASON)
  await move.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Video changed').waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })

  await owner.goto('/')
  await owner.getByRole('button', { name: /^Notifications/ }).click()
  await owner.getByText('"Rude": No insults in titles (title: "Loot run")').waitFor()
  const told = owner.getByText(`"Loot run": ${LONG_REASON} (game: Rust)`)
  await told.waitFor()
  expect(await isWhole(told)).toBe(true)
})

longTest(
  'a video is hidden from its page and shown again; it says so in one word everywhere',
  async () => {
    const ownerId = await register(owner, 'other')
    const [id] = await writeRows(server, (db) =>
      addVideos(db, [{ userId: ownerId, title: 'Raid' }]),
    )
    await page.goto(`/video/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await menuItem('Hide').click()
    const dialog = page.getByRole('dialog', { name: 'Hide "Raid"?' })
    await dialog.getByLabel(REASON).fill('A name is in it')
    await dialog.getByRole('button', { name: 'Hide', exact: true }).click()
    await page.getByText('Hidden: A name is in it').waitFor()
    await owner.goto('/studio')
    const card = owner.getByRole('article', { name: 'Raid' })
    await card.getByText('Hidden', { exact: true }).waitFor()
    expect(await card.getByRole('button', { name: /^Send in again/ }).count()).toBe(0)
    await owner.goto(`/video/${id}`)
    await owner.getByText('Hidden: A name is in it').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await menuItem('Show again').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Show again' }).click()
    await page.getByText('Hidden: A name is in it').waitFor({ state: 'detached' })
  },
)

longTest('the owner of a rejected video changes it and sends it in again', async () => {
  const ownerId = await register(owner, 'mender')
  const rejected = { contentApproved: 0, rejectionReason: 'Too dark' } as const
  await writeRows(server, (db) => addVideos(db, [{ userId: ownerId, title: 'Night', ...rejected }]))
  await owner.goto('/studio')
  const card = owner.getByRole('article', { name: 'Night' })
  await card.getByText('Too dark').waitFor()
  await card.getByRole('button', { name: /^Edit/ }).click()
  const edit = owner.getByRole('dialog', { name: 'Edit Video' })
  await edit.getByLabel('Title').fill('Day')
  // What is typed is not lost to a key.
  await owner.keyboard.press('Escape')
  await edit.getByText('Discard your changes?').waitFor()
  await edit.getByRole('button', { name: 'Keep editing' }).click()
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await edit.waitFor({ state: 'detached' })
  await owner.getByRole('article', { name: 'Day' }).getByRole('link', { name: 'View' }).click()
  await owner.getByRole('heading', { name: 'Day', level: 1 }).waitFor()
  await owner.getByText('Too dark').waitFor()
  await owner.getByRole('button', { name: 'Send in again: Day' }).click()
  await owner.getByText('Pending Approval').first().waitFor()
  await page.goto('/admin/approvals')
  await page.getByRole('region', { name: 'Reviewing "Day"' }).waitFor()
})

longTest(
  'a comment waits or is hidden where it stands, and a ban says before what it does',
  async () => {
    const ownerId = await register(owner, 'talker')
    const hostId = await writeRows(server, (db) => addMember(db, 'Host'))
    const [id] = await writeRows(server, (db) => addVideos(db, [{ userId: hostId, title: 'Base' }]))
    await writeRows(server, (db) => addVideos(db, [{ userId: ownerId, title: 'By the talker' }]))
    const holds = await page.request.post('/trpc/site.edit', { data: { heldWords: ['gold'] } })
    expect(holds.ok()).toBe(true)
    for (const content of ['Loud words', 'Cheap gold']) {
      await owner.request.post('/api/comments', { data: { videoId: id, content } })
    }
    await owner.goto(`/video/${id}`)
    const held = owner.getByRole('article').filter({ hasText: 'Cheap gold' })
    await held.getByText('Waiting for review: only you and the admins can see it').waitFor()
    await page.goto(`/video/${id}`)
    const comment = page.getByRole('article').filter({ hasText: 'Loud words' })
    await comment.getByRole('button', { name: /^Actions for the comment/ }).click()
    await menuItem('Hide').click()
    const hide = page.getByRole('dialog', { name: 'Hide this comment?' })
    await hide.getByRole('button', { name: 'Insults or harassment' }).click()
    await hide.getByRole('button', { name: 'Hide', exact: true }).click()
    await comment.getByText('Hidden: only admins see it').waitFor()

    await page.route(/banConsequences/, (route) => route.abort())
    await page.goto(`/profile/${ownerId}`)
    await page.getByRole('button', { name: 'Actions for The talker' }).click()
    await menuItem('Edit channel').click()
    const edit = page.getByRole('dialog', { name: 'Edit the channel of The talker' })
    await edit.getByLabel('Bio').fill('Talks')
    await edit.getByLabel(REASON).fill('The old one was rude')
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Channel changed').waitFor()
    await page.getByRole('button', { name: 'Actions for The talker' }).click()
    await menuItem('Ban The talker').click()
    const ban = page.getByRole('dialog', { name: 'Ban The talker?' })
    await ban.getByText(/^The effects of the ban could not be loaded/).waitFor()
    expect(await ban.getByRole('button', { name: 'Ban', exact: true }).isDisabled()).toBe(true)
    await page.unroute(/banConsequences/)
    // The browser reports what the test cut.
    problems.length = 0
    await ban.getByRole('button', { name: 'Try again' }).click()
    await ban.getByText('1 video is hidden').waitFor()
    await ban.getByText('1 device is logged out').waitFor()
    const deletion = 'Delete their account and everything they made after 30 days'
    expect(await ban.getByRole('checkbox', { name: deletion }).isChecked()).toBe(false)
    await expectAccessible()
    await ban.getByLabel(REASON).fill('Loud')
    await ban.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByText('Member banned').waitFor()
    expect((await owner.request.get('/api/user')).status()).toBe(401)
    expect(problems).toEqual([])
  },
)
