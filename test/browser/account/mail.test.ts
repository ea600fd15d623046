import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { makeUnsubscribeToken } from '#server/community/digest/unsubscribe-token.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { linkIn, startMailServer } from '#test/support/mail-server.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const mail = await startMailServer()
afterAll(() => mail.stop())
const server = setUpHostedSite({
  env: {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Clips <clips@example.org>',
    PUBLIC_URL: 'http://clips.example.org',
  },
})

/** The path of the link in the last email to a member with this subject. */
async function linkTo(username: string, { subject, page }: { subject: string; page: string }) {
  const found = () =>
    mail.to(`${username}@example.org`).findLast(({ headers }) => headers.subject === subject)
  await until(() => found() !== undefined)
  const letter = found()
  return letter ? linkIn(letter, page) : ''
}

async function openMember(username: string, { viewport = DESKTOP, code = '' } = {}) {
  const { page, problems } = await server.open({ viewport })
  await register(page, username, code || undefined)
  return { page, problems }
}

async function verify(page: Page, username: string): Promise<void> {
  const link = await linkTo(username, { subject: 'Verify your email address', page: 'verify' })
  await page.goto(link)
  await page.getByRole('button', { name: 'Verify address' }).click()
  await page.getByText(`The email address of @${username} is verified.`).waitFor()
}

test('who forgot a password sets a new one by a link in an email', async () => {
  await openMember('ann')
  const { page, problems } = await server.open({ viewport: PHONE })
  await page.goto('/auth')
  await page.getByLabel('Username').fill('ann')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forgot your password?' })
  await dialog.getByLabel('Username or email address').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('a link to a new password is on its way').waitFor()
  await page.goto(await linkTo('ann', { subject: 'Set a new password', page: 'reset' }))
  await page.getByText('For @ann.').waitFor()
  await page.getByLabel('New password').fill('battery staple')
  await page.getByLabel('Confirm Password').fill('battery staple')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByText('You have successfully logged in.').waitFor()
  expect(problems).toEqual([])
})

longTest('an address is verified by a button, and a summary is chosen then', async () => {
  const { page, problems } = await openMember('bob', { viewport: PHONE })
  await page.goto('/settings')
  await page.getByText('Not verified.').waitFor()
  expect(await page.getByLabel('Summary by email').count()).toBe(0)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Follow the link in the email to bob@example.org.').waitFor()
  await verify(page, 'bob')
  await auditPage(page)
  await page.goto('/settings')
  await page.getByText('Your email address is verified.').waitFor()
  await page.getByRole('combobox', { name: 'Summary by email' }).click()
  await page.getByRole('option', { name: 'Weekly' }).click()
  await page.reload()
  await expect.poll(() => page.getByLabel('Summary by email').first().inputValue()).toBe('Weekly')
  const token = await writeRows(server, async (db) => {
    const { id } = await readRow(db, 'users', { username: 'bob' })
    return makeUnsubscribeToken(db, id)
  })
  await page.goto(`/unsubscribe?token=${token}x`)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByText('This link is not complete.').waitFor()
  await page.goto(`/unsubscribe?token=${token}`)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByText('You will no longer receive summaries by email.').waitFor()
  await auditPage(page)
  await page.goto('/settings#notifications')
  await expect.poll(() => page.getByLabel('Summary by email').first().inputValue()).toBe('Never')
  await page.goto('/verify#a-token-that-is-none-at-all')
  await page.getByRole('button', { name: 'Verify address' }).click()
  await page.getByText('This link was used before or is too old.').waitFor()
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
})

longTest('an admin sends a test, and reads what the mail server says', async () => {
  const { page } = await openMember('admin', { code: await server.setupCode() })
  await page.goto('/admin/settings')
  await page.getByText('Sent through 127.0.0.1, from clips@example.org.').waitFor()
  const button = page.getByRole('button', { name: 'Send a test to me' })
  await button.click()
  await page.getByText('Sent to admin@example.org.').waitFor()
  mail.refusals.sender = '550 Not from here'
  await button.click()
  await page.getByText('refused the sender clips@example.org: 550 Not from here').waitFor()
  mail.clear()
})
