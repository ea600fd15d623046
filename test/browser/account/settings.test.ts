import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, watchLayout } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { makePng } from '#test/support/png.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { readTarFiles } from '#test/support/tar.ts'
import { readZipFiles } from '#test/support/zip.ts'

const PASSWORD = 'correct horse'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const server = setUpHostedSite()

beforeAll(async () => {
  // The first account may become the admin, who cannot leave; it is nobody's here.
  for (const username of ['first', 'ann', 'bob', 'cat']) {
    await fetch(`${server.origin}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': FIREFOX },
      body: JSON.stringify({
        username,
        password: PASSWORD,
        email: `${username}@example.org`,
        displayName: `${username} of Rust`,
      }),
    })
  }
})

async function openSettings(username: string, viewport = DESKTOP): Promise<Page> {
  const { page } = await server.open({ viewport })
  await page.request.post('/api/login', { data: { username, password: PASSWORD } })
  await page.goto('/settings')
  await page.getByLabel('Display Name').waitFor()
  return page
}

async function confirmPassword(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm your password' })
  await question.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await question.getByRole('button', { name: 'Confirm' }).click()
}

const email = (page: Page) => page.getByLabel('Email', { exact: true })
const picture = { name: 'me.png', mimeType: 'image/png', buffer: makePng(900, 600) }

test('a visitor is sent to sign in', async () => {
  const { page } = await server.open()
  await page.goto('/settings')
  await page.waitForURL(/\/auth\?next=/)
})

longTest.each([
  { name: 'desktop', viewport: DESKTOP, scheme: 'dark' },
  { name: 'phone', viewport: PHONE, scheme: 'light' },
])('the page is readable on a $name in $scheme', async ({ viewport, scheme }) => {
  const page = await openSettings('ann', viewport)
  const appearance = page.getByRole('main').getByRole('group', { name: 'Appearance' })
  await appearance.getByText(scheme === 'dark' ? 'Dark' : 'Light').click()
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme))
    .toBe(scheme)
  await page.getByText('This device', { exact: true }).waitFor()
  expect(await auditPage(page)).toEqual([])
  expect(await page.title()).toBe('Settings · Clutch')
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('the profile says beside each field what is wrong, and keeps what was typed', async () => {
  const page = await openSettings('ann')
  await page.getByLabel('Display Name').fill('A')
  await page.getByLabel('Bio').fill('x'.repeat(1001))
  await page.getByText('1001 / 1000').waitFor()
  await email(page).fill('nowhere')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText('Display name must be at least 2 characters').waitFor()
  await page.getByText('Bio must be at most 1000 characters.').waitFor()
  await page.getByText('Please enter a valid email').waitFor()

  await page.getByLabel('Display Name').fill('Ann of Tarkov')
  await page.getByLabel('Bio').fill('Plays on Sundays.')
  await email(page).fill('bob@example.org')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await confirmPassword(page)
  await page.getByText('This email is already in use.').waitFor()
  expect(await page.getByLabel('Display Name').inputValue()).toBe('Ann of Tarkov')

  await email(page).fill('ann@example.com')
  await page.getByLabel('Show my email on my channel').check()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Bio').inputValue()).toBe('Plays on Sundays.')
  await expect.poll(() => page.getByLabel('Show my email on my channel').isChecked()).toBe(true)
})

longTest('an avatar is cropped by keyboard, saved and removed', async () => {
  const page = await openSettings('ann')
  await page.getByLabel('Avatar', { exact: true }).setInputFiles(picture)
  const dialog = page.getByRole('dialog', { name: 'Crop your avatar' })
  const frame = dialog.getByRole('group', { name: /arrow keys/ })
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  const placeOf = () => frame.locator('img').evaluate((image) => image.style.left)
  const before = await placeOf()
  await frame.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(placeOf).not.toBe(before)
  await dialog.getByRole('button', { name: 'Save picture' }).click()
  await page.getByText('Avatar saved').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('main').locator('img[src^="/media/"]').waitFor()
  await page.getByRole('button', { name: 'Remove avatar' }).click()
  await page.getByText('Avatar removed').waitFor()
  await page.getByRole('button', { name: 'Add avatar' }).waitFor()
})

longTest('a banner is saved; what is no picture is refused in words', async () => {
  const page = await openSettings('ann', PHONE)
  const banner = page.getByLabel('Banner', { exact: true })
  await banner.setInputFiles({ ...picture, buffer: Buffer.from('no picture') })
  const dialog = page.getByRole('dialog', { name: 'Crop your banner' })
  await dialog.getByText('This picture could not be read. Choose a PNG or a JPEG.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await banner.setInputFiles(picture)
  await dialog.getByRole('button', { name: 'Save picture' }).click()
  await page.getByText('Banner saved').waitFor()
  await page.getByRole('button', { name: 'Remove banner' }).waitFor()
})

longTest('the menu of sections says which one is read, wherever one came from', async () => {
  const page = await openSettings('ann')
  const menu = page.getByRole('navigation', { name: 'Settings' })
  const current = () => menu.locator('[aria-current]').allTextContents()
  await expect.poll(current).toEqual(['Profile'])
  await menu.getByRole('link', { name: 'Sessions' }).click()
  await expect.poll(current).toEqual(['Sessions'])
  await page.getByRole('heading', { name: 'Player' }).evaluate((one) => {
    const room = Number.parseFloat(
      getComputedStyle(one.closest('section') as Element).scrollMarginTop,
    )
    scrollTo(0, scrollY + (one.closest('section') as Element).getBoundingClientRect().top - room)
  })
  await expect.poll(current).toEqual(['Player'])
  expect(await auditPage(page)).toEqual([])
})

longTest(
  'a description lies below its label, and pressing it counts as pressing the label',
  async () => {
    const page = await openSettings('ann')
    const gaps = await page
      .locator('.mantine-Switch-labelWrapper, .mantine-Checkbox-labelWrapper')
      .evaluateAll((wrappers) =>
        wrappers.flatMap((wrapper) => {
          const [label, description] = [
            '.mantine-Checkbox-label, .mantine-Switch-label',
            '[class*="-description"]',
          ].map((selector) => wrapper.querySelector(selector)?.getBoundingClientRect())
          return label && description ? [description.top - label.bottom] : []
        }),
      )
    expect(gaps.length).toBeGreaterThan(0)
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(0)
    const described = page.locator('.mantine-Checkbox-labelWrapper:has([class*="-description"])')
    const box = page.locator('.mantine-Checkbox-body').filter({ has: described }).first()
    const isChecked = () => box.getByRole('checkbox').isChecked()
    const before = await isChecked()
    const description = await box.locator('[class*="-description"]').boundingBox()
    const { x = 0, y = 0, height = 0 } = description ?? {}
    await page.mouse.click(x + 20, y + height - 2)
    await expect.poll(isChecked).toBe(!before)
  },
)

longTest.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const)(
  'on a %s, a section in the address stays in place while others load',
  async (name, viewport) => {
    const { page } = await server.open({ viewport })
    const userId = await register(page, `tall-${name}`)
    await writeRows(server, async (db) => {
      const tokens = Array.from({ length: 6 }, (_, index) => ({
        ...{ userId, name: `Script ${index}`, scope: 'read' as const },
        ...{ tokenHash: `${name} ${index}`, createdAt: timestamp() },
      }))
      await addRows(db, 'apiTokens', tokens)
      const sessions = Array.from({ length: 19 }, (_, index) => ({
        ...{ id: `${name}-${index}`, userId, rememberMe: 1 as const, userAgent: FIREFOX },
        ...{
          expiresAt: Math.floor(Date.now() / 1000) + 86_400,
          createdAt: timestamp(),
          confirmedAt: null,
        },
      }))
      await addRows(db, 'sessions', sessions)
    })
    for (const id of ['password', 'two-step', 'sessions', 'api-tokens']) {
      const shifts = await watchLayout(page)
      await page.goto(`/settings?at=${id}#${id}`)
      await page.getByText('Script 5').waitFor()
      const place = () =>
        page.locator(`section#${id}`).evaluate((section) => {
          const { scrollMarginTop } = getComputedStyle(section)
          return Math.abs(section.getBoundingClientRect().top - Number.parseFloat(scrollMarginTop))
        })
      await expect.poll(place).toBeLessThan(1)
      expect(await shifts()).toEqual([])
    }
    const region = page.getByRole('region', { name: 'Sessions' })
    expect(await region.getByRole('listitem').count()).toBe(5)
    await region.getByText('This device').waitFor()
    await region.getByRole('button', { name: 'Show all (20)' }).click()
    expect(await region.getByRole('listitem').count()).toBe(20)
    await region.getByRole('button', { name: 'Show fewer', expanded: true }).waitFor()
  },
)

longTest('another device is signed out, this one is not offered', async () => {
  const page = await openSettings('ann')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  const current = sessions.getByRole('listitem').filter({ hasText: 'This device' })
  await current.waitFor()
  expect(await current.getByRole('button').count()).toBe(0)
  await sessions.getByRole('button', { name: /^Show all/ }).click()
  const firefox = sessions.getByRole('button', { name: 'Log out Firefox on Linux' })
  await firefox.click()
  await confirmPassword(page)
  await page.getByText('Device logged out').waitFor()
  await firefox.waitFor({ state: 'detached' })
})

test('the password changes only with the old one', async () => {
  const page = await openSettings('bob')
  const press = () => page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByLabel('Current Password').fill('wrong horse')
  await page.getByLabel('New Password').fill('short')
  await page.getByLabel('Confirm Password').fill('longer')
  await press()
  await page.getByText('Password must be at least 6 characters').waitFor()
  await page.getByText('Passwords do not match').waitFor()
  await page.getByLabel('New Password').fill('battery staple')
  await page.getByLabel('Confirm Password').fill('battery staple')
  await press()
  await page.getByText('The current password is not right.').waitFor()
  await page.getByLabel('Current Password').fill(PASSWORD)
  await press()
  await page.getByText('Password changed').waitFor()
  expect(await page.getByLabel('New Password').inputValue()).toBe('')
})

longTest('what the site knows about a member is prepared, downloaded and unpacked', async () => {
  const page = await openSettings('cat')
  const data = page.getByRole('region', { name: 'Your data' })
  await data.getByRole('button', { name: 'Prepare a download' }).click()
  await confirmPassword(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    data.getByRole('button', { name: 'Download clutch-data.tar' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('clutch-data.tar')
  const files = readTarFiles(await readFile(await download.path()))
  const account = JSON.parse(`${files.get('clutch-data/account.json')}`)
  expect(account.profile).toMatchObject({ username: 'cat', email: 'cat@example.org' })
  expect(account.sessions).toContainEqual(expect.objectContaining({ userAgent: FIREFOX }))

  await data.getByRole('radio', { name: 'Videos for another site' }).check()
  await data.getByRole('button', { name: 'Prepare a new download' }).click()
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    data.getByRole('button', { name: 'Download clutch-peertube.zip' }).click(),
  ])
  const listed = await readZipFiles(await archive.path())
  expect(JSON.parse(`${listed.get('peertube/account.json')}`)).toMatchObject({ name: 'cat' })
})

longTest('an account is deleted in 14 days, unless its owner signs in', async () => {
  const page = await openSettings('cat')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  await dialog.getByRole('button', { name: 'Delete in 14 days' }).click()
  await confirmPassword(page)
  await page.waitForURL('/')
  await page.getByText('Your account will be deleted in 14 days').waitFor()
  await page.goto('/auth')
  const signIn = async () => {
    await page.getByLabel('Username').fill('cat')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByText('Your account will be deleted on').waitFor()
  }
  await signIn()
  expect(await auditPage(page)).toEqual([])
  await page.getByRole('button', { name: 'Back' }).click()
  await signIn()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.waitForURL('/')
  await page.getByText('Your account is kept').waitFor()
  await page.goto('/settings')
  await page.getByLabel('Display Name').waitFor()
})

test('an account is deleted with its password, and its owner is a visitor then', async () => {
  const page = await openSettings('ann')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  await dialog.getByText("Your comments on other people's videos stay").waitFor()
  await dialog.getByLabel('Now', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm your password' })
  await question.getByLabel('Password', { exact: true }).fill('wrong horse')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await question.getByText('The current password is not right.').waitFor()
  await confirmPassword(page)
  await page.waitForURL('/')
  await page.getByText('Account deleted').waitFor()
  await page.getByRole('link', { name: 'Sign In' }).first().waitFor()
  const answer = await page.request.post('/api/login', {
    data: { username: 'ann', password: PASSWORD },
  })
  expect(answer.status()).toBe(401)
})
