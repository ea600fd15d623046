import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
let members = 0

/** A member on the page of a video of another member's, with one comment under it. */
async function openWatch() {
  const opened = await server.open()
  const { page } = opened
  members += 1
  await register(page, `member${members}`)
  const [videoId = 0] = await writeRows(server, async (db) => {
    const userId = await addMember(db, `Owner ${members}`)
    return addVideos(db, [{ userId, title: 'Match point' }])
  })
  await page.request.post('/api/comments', { data: { videoId, content: 'What a shot' } })
  await page.goto(`/video/${videoId}`)
  await page.getByText('What a shot').waitFor()
  return { ...opened, videoId }
}

/** Holds back what the page asks of a procedure, until it is let go on. */
async function hold(page: Page, procedure: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/trpc/${procedure}*`, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** The session ends elsewhere: from now on the server says no. */
const signOutElsewhere = (page: Page) => page.context().clearCookies()

const toast = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor()
test('a like is shown at once, and taken back when the server says no', async () => {
  const { page } = await openWatch()
  const letGo = await hold(page, 'like.set')
  await signOutElsewhere(page)
  const like = page.getByRole('button', { name: /^Like/ }).first()
  await like.click()
  await expect.poll(() => like.innerText()).toMatch(/1/)
  expect(await like.getAttribute('aria-pressed')).toBe('true')
  letGo()
  await toast(page, 'Failed to save rating: 401: Please sign in first.')
  await expect.poll(() => like.getAttribute('aria-pressed')).toBe('false')
  expect(await like.innerText()).toMatch(/0/)
})

longTest(
  'a like of a comment is shown at once, and taken back when the server says no',
  async () => {
    const { page } = await openWatch()
    const letGo = await hold(page, 'like.set')
    await signOutElsewhere(page)
    const like = page.getByRole('article', { name: /^Comment by/ }).getByRole('button', {
      name: /^Like/,
    })
    await like.click()
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('true')
    letGo()
    await toast(page, 'Failed to like comment: 401: Please sign in first.')
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('false')
  },
)

longTest('a subscription is shown at once, and taken back when the server says no', async () => {
  const { page } = await openWatch()
  const letGo = await hold(page, 'subscription.create')
  await signOutElsewhere(page)
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await page.getByRole('button', { name: 'Subscribed' }).waitFor()
  letGo()
  await toast(page, 'Failed to subscribe: 401: Please sign in first.')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
})

longTest('a comment stands in the list at once, and comes from the server in the end', async () => {
  const { page, problems } = await openWatch()
  const letGo = await hold(page, 'comment.create')
  const field = page.getByRole('textbox', { name: 'Add a comment' })
  await field.fill('Again, please')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const comment = page
    .getByRole('article', { name: /^Comment by/ })
    .filter({ hasText: 'Again, please' })
  await comment.getByText('Posting...').waitFor()
  expect(await field.inputValue()).toBe('')
  letGo()
  await comment.getByRole('button', { name: /^Actions for/ }).waitFor()
  await page.getByText('Comment added').waitFor()
  expect(await comment.count()).toBe(1)
  expect(problems).toEqual([])
})

test('a comment the server refuses leaves the list, and its text is in the form again', async () => {
  const { page } = await openWatch()
  await signOutElsewhere(page)
  const field = page.getByRole('textbox', { name: 'Add a comment' })
  await field.fill('Too late')
  await field.press('Control+Enter')
  await toast(page, 'Failed to add comment: 401: Please sign in first.')
  await expect.poll(() => field.inputValue()).toBe('Too late')
  expect(await page.getByRole('article').filter({ hasText: 'Too late' }).count()).toBe(0)
})

longTest(
  'a reply stands under its comment at once, and its text comes back when refused',
  async () => {
    const { page } = await openWatch()
    const letGo = await hold(page, 'comment.create')
    await signOutElsewhere(page)
    await page.getByRole('button', { name: 'REPLY' }).click()
    const field = page.getByRole('textbox', { name: /^Reply to/ })
    await field.fill('Which one?')
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.getByRole('article').getByText('Posting...').first().waitFor()
    letGo()
    await toast(page, 'Failed to add comment: 401: Please sign in first.')
    await expect.poll(() => field.inputValue()).toBe('Which one?')
  },
)

longTest(
  'a count rolls to its next value, or just changes where reduced motion is asked for',
  async () => {
    const { page } = await openWatch()
    const like = page.getByRole('button', { name: /^Like/ }).first()
    const rolls = like.locator('[data-roll]')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await like.click()
    await page.getByRole('button', { name: 'Like 1', exact: true }).waitFor()
    expect(await rolls.count()).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    // Slowed down, so that both numbers are seen; a screen reader has the new one only.
    await page.addStyleTag({ content: ':root { --motion-entrance: 60s linear !important }' })
    await like.click()
    await page.getByRole('button', { name: 'Like 0', exact: true }).first().waitFor()
    await expect.poll(() => rolls.allInnerTexts()).toEqual(['1', '0'])
    expect(await rolls.first().getAttribute('aria-hidden')).toBe('true')
  },
)
