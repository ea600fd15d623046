import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { register } from '#test/support/site-member.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const WELCOME = 'We clip our Friday nights.'

const server = setUpHostedSite()

beforeAll(() => register(server.origin, 'ann', 'Ann of Rust'))

test('the sign-in page says what the site is for, without the shell', async () => {
  const { page, problems } = await server.open()
  await page.goto('/auth')
  await page.getByText('Your video sharing platform').waitFor()
  for (const name of ['Upload Videos', 'Build Community', 'Discover Content']) {
    await page.getByRole('heading', { name }).waitFor()
  }
  await page.getByText('Stay logged in on this device').waitFor()
  expect(await page.getByRole('combobox').count()).toBe(0)
  expect(await page.title()).toBe('Login · Clutch')
  await page.getByText("Don't have an account?").getByRole('link', { name: 'Register' }).click()
  await page.getByText('Already have an account?').waitFor()
  expect(problems).toEqual([])
})

test('the form stands beside posters of the newest public videos, or a drawing if there are none', async () => {
  const { page } = await server.open()
  await page.goto('/auth')
  const wall = page.locator('aside img')
  await page.locator('aside svg circle').first().waitFor()
  await writeRows(server, async (db) => {
    const userId = 1
    const visibility = ['public', 'public', 'public', 'members', 'private'] as const
    await addVideos(
      db,
      visibility.map((level, at) => ({
        ...{ userId, title: `Round ${at}`, visibility: level, thumbnailUrl: `/media/a/${at}.webp` },
      })),
    )
  })
  await page.waitForTimeout(1100)
  await page.reload()
  await wall.first().waitFor({ state: 'attached' })
  const shown = await wall.evaluateAll((all) => all.map((one) => one.getAttribute('src')))
  expect(new Set(shown)).toEqual(new Set([0, 1, 2].map((at) => `/media/a/${at}.webp`)))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await page.getByLabel('Username').waitFor()
  expect(await wall.count()).toBe(0)
  await writeRows(server, (db) => db.deleteFrom('videos').execute())
})

longTest('the page of an invite says who sent it and who has already joined', async () => {
  const code = 'a code of an invite'
  await writeRows(server, (db) =>
    db
      .insertInto('invites')
      .values({
        ...{ usesMax: 1, createdBy: 1, createdAt: new Date().toISOString(), expiresAt: null },
        codeHash: createHash('sha256').update(code).digest('hex'),
      })
      .execute(),
  )
  for (const viewport of [DESKTOP, PHONE]) {
    const { page, problems } = await server.open()
    await page.setViewportSize(viewport)
    await page.goto(`/auth#invite=${encodeURIComponent(code)}`)
    await page.getByRole('heading', { name: 'Ann of Rust invites you to Clutch' }).waitFor()
    await page.getByText('Ann of Rust is already there').waitFor()
    await page.getByLabel('Display Name').waitFor()
    expect(await auditPage(page)).toEqual([])
    expect(problems).toEqual([])
  }
  // Visitors cannot load pictures from a site for members only.
  await writeRows(server, async (db) => {
    await db.updateTable('siteSettings').set({ audience: 'members', welcome: WELCOME }).execute()
    await db.updateTable('users').set({ avatarUrl: '/media/avatars/a.webp' }).execute()
  })
  try {
    const { page, problems } = await server.open()
    await page.goto(`/auth#invite=${encodeURIComponent(code)}`)
    const invitation = page.getByRole('region', { name: 'Invitation' })
    await invitation.getByText('Ann of Rust is already there').waitFor()
    expect(await invitation.locator('img').count()).toBe(0)
    await page.getByText(WELCOME).waitFor()
    expect(await auditPage(page)).toEqual([])
    expect(problems).toEqual([])
  } finally {
    await writeRows(server, async (db) => {
      await db.updateTable('siteSettings').set({ audience: 'everybody' }).execute()
      await db.updateTable('users').set({ avatarUrl: null }).execute()
    })
  }
  const { page } = await server.open()
  await writeRows(server, (db) =>
    db.updateTable('users').set({ isAdmin: 1 }).where('id', '=', 1).execute(),
  )
  await page.goto('/auth#invite=used')
  await page.getByText('This invitation can no longer be used.').waitFor()
  await page.goto('/auth')
  await page.getByLabel('Username').waitFor()
  expect(await page.getByText(WELCOME).count()).toBe(0)
})

test('a site for members asks visitors to sign in, and shows then what they wanted', async () => {
  const setAudience = (audience: 'everybody' | 'members') =>
    writeRows(server, (db) => db.updateTable('siteSettings').set({ audience }).execute())
  await setAudience('members')
  const { page } = await server.open()
  try {
    await page.goto('/explore?category=Other')
    await page.waitForURL(/\/auth/)
    expect(await page.getByRole('article').count()).toBe(0)
    await page.getByLabel('Username').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL(/\/explore\?category=Other/)
    await page.getByRole('heading', { level: 1 }).waitFor()
  } finally {
    await setAudience('everybody')
    await page.context().close()
  }
})

longTest('a site that sends no email says nothing of it', async () => {
  const { page } = await server.open({ viewport: DESKTOP, isNew: true })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  expect(await page.getByText('Forgot your password?').count()).toBe(0)
  await page.request.post('/api/login', { data: { username: 'ann', password: 'correct horse' } })
  await page.goto('/settings')
  await page.getByText('You sign in as @ann.').waitFor()
  await page.getByRole('region', { name: 'Sessions' }).getByRole('listitem').first().waitFor()
  await page.waitForLoadState('networkidle')
  for (const words of [/verif/i, /by email/i, /mail server/i]) {
    expect(await page.getByText(words).count()).toBe(0)
  }
})

test('each field of the register form says what is wrong with it, the first one has the focus', async () => {
  const { page } = await server.open()
  await page.goto('/auth?tab=register')
  await page.getByText('Used to login').waitFor()
  await page.getByText('Shown publicly').waitFor()
  expect(await page.getByText('Username must be at least 3 characters').count()).toBe(0)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('Username must be at least 3 characters').waitFor()
  await page.getByText('Please enter a valid email').waitFor()
  await page.getByText('Display name must be at least 2 characters').waitFor()
  expect(await page.getByText('Password must be at least 6 characters').count()).toBe(2)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username')

  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Confirm Password').fill('incorrect horse')
  await page.getByText('Passwords do not match').waitFor()
  await page.getByLabel('Confirm Password').fill('correct horse')
  await page.getByText('Passwords do not match').waitFor({ state: 'detached' })
})

longTest(
  'a password that is easily guessed is refused beside the form, and the rest stays',
  async () => {
    const { page } = await server.open()
    await page.goto('/auth?tab=register')
    await page.getByLabel('Username', { exact: true }).last().fill('guessed')
    await page.getByLabel('Email', { exact: true }).fill('guessed@example.org')
    await page.getByLabel('Display Name').fill('Guessed')
    await page.getByLabel('Password', { exact: true }).last().fill('guessed99')
    await page.getByLabel('Confirm Password').fill('guessed99')
    await page.getByRole('button', { name: 'Register' }).click()
    const form = page.locator('form').filter({ hasText: 'Confirm Password' })
    const sentence = 'Your password must not be your username, display name or email.'
    await form.getByText(sentence).waitFor()
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('guessed@example.org')
  },
)

test('a refused login says why and keeps what was typed', async () => {
  const { page } = await server.open()
  await page.goto('/auth')
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('wrong horse')
  await page.getByRole('button', { name: 'Login' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('Login failed').waitFor()
  await alert.getByText('Invalid username or password.', { exact: true }).waitFor()
  await page.getByRole('main').getByText('Ask an admin for a link.').waitFor()
  expect(await page.getByLabel('Username').inputValue()).toBe('ann')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('wrong horse')
})

test('a login leads back to the page that asked for it, the sign-in page is closed to a member, and a logout ends it', async () => {
  const { page, problems } = await server.open()
  await page.goto('/upload')
  await page.waitForURL('/auth?next=%2Fupload')
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('/upload')
  await page.getByRole('status').getByText('You have successfully logged in.').waitFor()

  for (const [address, path] of [
    ['/auth', '/'],
    ['/auth?next=/explore%3Fcategory=Rust%23top', '/explore?category=Rust#top'],
    ['/auth?next=//evil.example', '/'],
    ['/auth?next=/%5Cevil.example', '/'],
    ['/auth?next=https:evil.example', '/'],
    ['/auth?next=javascript:alert(1)', '/'],
    ['/auth?next=/auth', '/'],
  ] as const) {
    await page.goto(address)
    await page.waitForURL(path)
  }
  const openUploads = page.waitForResponse((response) => response.url().includes('upload.listOpen'))
  await page.goto('/upload')
  // Asked for after the logout, it would be refused.
  await openUploads
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByText('@ann', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Your profile' }).getAttribute('href')).toBe(
    '/profile/1',
  )
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('status').getByText('Logged out').waitFor()
  await page.waitForURL('/auth?next=%2Fupload')
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  expect(problems).toEqual([])
})

longTest(
  'an answer asked for as a visitor does not sign out who has signed in meanwhile',
  async () => {
    const { page } = await server.open()
    await page.clock.install()
    await page.goto('/auth')
    await page.getByLabel('Username').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    const late = Promise.withResolvers<void>()
    const asked = page.waitForRequest(/auth\.currentUser/)
    await page.route(/auth\.currentUser/, async (route) => {
      const response = await route.fetch()
      await late.promise
      await route.fulfill({ response }).catch(() => undefined)
    })
    // When the page becomes visible again, it asks who is signed in.
    await page.clock.fastForward('10:00')
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    )
    await asked
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL('/')
    late.resolve()
    await page.getByRole('button', { name: 'User menu' }).waitFor()
    await page.getByRole('link', { name: 'Studio' }).click()
    await page.getByRole('heading', { name: 'Content Studio' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/studio')
  },
)
