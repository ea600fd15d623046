import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

test('an owner posts with a video, a subscriber is notified, likes it and comments', async () => {
  const owner = await server.open()
  const ownerId = await register(owner.page, 'poster')
  await writeRows(server, async (db) => {
    await addVideos(db, [
      { userId: ownerId, title: 'The last ace' },
      { userId: ownerId, title: 'Nobody knows', isAnonymous: 1 },
    ])
  })
  const fan = await server.open({ viewport: PHONE })
  await register(fan.page, 'reader')
  await fan.page.goto(`/profile/${ownerId}?tab=community`)
  await fan.page.getByText('No community posts available').waitFor()
  await fan.page.getByText('This feature is coming soon.').waitFor()
  await fan.page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await fan.page.getByRole('button', { name: 'Subscribed' }).waitFor()

  const { page } = owner
  await page.goto(`/profile/${ownerId}?tab=community`)
  const field = page.getByRole('textbox', { name: 'Write a post' })
  const post = page.getByRole('button', { name: 'Post', exact: true })
  await field.fill('x'.repeat(1001))
  await page.getByText('A post has at most 1000 characters.').waitFor()
  expect(await post.isDisabled()).toBe(true)
  expect(await field.inputValue()).toHaveLength(1001)
  await field.fill('We play at nine: https://example.org')
  const choice = page.getByRole('combobox', { name: 'Show one of your videos' })
  await choice.click()
  await page.getByRole('option', { name: 'The last ace' }).waitFor()
  expect(await page.getByRole('option', { name: 'Nobody knows' }).count()).toBe(0)
  await page.getByRole('option', { name: 'The last ace' }).click()
  await post.click()
  const own = page.getByRole('article', { name: 'Post by The poster' })
  await own.getByRole('link', { name: 'The last ace' }).waitFor()
  expect(await field.inputValue()).toBe('')
  expect(await auditPage(page)).toEqual([])

  const reader = fan.page
  await reader.getByRole('button', { name: /Notifications/ }).click()
  const notice = reader.getByRole('listitem').filter({ hasText: 'New post from The poster' })
  await notice.getByRole('link', { name: 'View' }).click()
  const seen = reader.getByRole('article', { name: 'Post by The poster' })
  const like = seen.getByRole('button', { name: 'Like 0' }).first()
  const opacityOf = () =>
    like.locator(':scope > :last-child').evaluate((one) => getComputedStyle(one).opacity)
  expect(await opacityOf()).toBe('0')
  await seen.getByRole('button', { name: 'Like', exact: false }).first().click()
  await seen.getByRole('button', { name: 'Like 1' }).waitFor()
  await seen.getByRole('button', { name: 'Comments', exact: true }).click()
  await seen.getByRole('textbox', { name: 'Add a comment' }).fill('I am in')
  await seen.getByRole('button', { name: 'Comment', exact: true }).click()
  const said = seen.getByRole('article', { name: 'Comment by The reader' })
  await said.getByText('I am in').waitFor()
  await seen.getByRole('button', { name: '1 comment' }).waitFor()
  expect(await auditPage(reader)).toEqual([])

  await page.reload()
  await own.getByRole('button', { name: '1 comment' }).click()
  await own.getByRole('button', { name: 'REPLY', exact: true }).click()
  await own.getByRole('textbox', { name: 'Reply to The reader' }).fill('At nine then')
  await page.keyboard.press('Control+Enter')
  await own
    .getByRole('article', { name: 'Comment by The poster' })
    .getByText('At nine then')
    .waitFor()
  await own.getByRole('button', { name: 'HIDE 1 REPLY' }).waitFor()
  if (isLongForm) expect(await auditPage(page)).toEqual([])

  await reader.reload()
  await seen.getByRole('button', { name: '2 comments' }).click()
  await seen.getByRole('button', { name: '1 REPLY' }).click()
  const answer = seen.getByRole('article', { name: 'Comment by The poster' })
  await answer.getByText('Author', { exact: true }).waitFor()
  await answer.getByRole('button', { name: 'REPLY', exact: true }).click()
  await answer.getByRole('textbox', { name: 'Reply to The poster' }).fill('See you')
  await answer.getByRole('button', { name: 'Reply', exact: true }).click()
  await seen.getByText('@poster See you').waitFor()
  // Its comments are in one of two orders, once there is more than one.
  await seen.getByRole('textbox', { name: 'Add a comment' }).fill('Word by word. '.repeat(60))
  await reader.keyboard.press('Control+Enter')
  const byReader = seen.getByRole('article', { name: 'Comment by The reader' })
  const long = byReader.filter({ hasText: 'Word by word' })
  await long.getByRole('button', { name: 'Show more' }).click()
  await long.getByRole('button', { name: 'Show less' }).click()
  await expect.poll(() => byReader.first().innerText()).toContain('Word by word')
  const first = said.filter({ hasText: 'I am in' })
  await first.getByRole('button', { name: 'Like', exact: false }).first().click()
  await first.getByRole('button', { name: 'Like 1' }).first().waitFor()
  await seen.getByText('Best', { exact: true }).click()
  // What was just said stays first until the page is loaded again.
  await reader.reload()
  await seen.getByRole('button', { name: '4 comments' }).click()
  await expect.poll(() => byReader.first().innerText()).toContain('I am in')
  await seen.getByRole('button', { name: '2 REPLIES' }).click()
  await seen.getByText('@poster See you').waitFor()
  if (isLongForm) expect(await auditPage(reader)).toEqual([])
  const act = async (name: string) => {
    await own.getByRole('button', { name: 'Actions for the comment by The reader' }).first().click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Pin to the top')
  await own.getByText('Pinned').waitFor()
  await act('Give a heart')
  await own.getByText('Loved by the author').waitFor()
  await page.getByRole('button', { name: 'Actions for the post by The poster' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  await page.getByRole('textbox', { name: 'Edit post' }).fill('We play at ten')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await own.getByText('We play at ten').waitFor()
  await own.getByText('(edited)').waitFor()
  await page.getByRole('button', { name: 'Actions for the post by The poster' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No community posts available').waitFor()
  expect([...owner.problems, ...fan.problems]).toEqual([])
})

test('a notification leads to the reply that it is about, and lights it', async () => {
  const owner = await server.open()
  const ownerId = await register(owner.page, 'linker')
  const replier = await server.open()
  await register(replier.page, 'replier')
  const { page, problems } = await server.open({ viewport: PHONE })
  await register(page, 'asker')
  const post = async (by: Page, name: string, data: object) =>
    (await (await by.request.post(`/trpc/${name}`, { data })).json()).result.data.id as number
  const postId = await post(owner.page, 'post.create', { content: 'We play at nine' })
  const content = 'Who brings the map?'
  const parentId = await post(page, 'comment.create', { postId, content })
  // Beyond the first page of comments, of replies and of posts.
  await writeRows(server, async (db) => {
    const createdAt = new Date(Date.now() + 60_000).toISOString()
    const rows = Array.from({ length: 60 }, (_, index) => index)
    await addRows(
      db,
      'posts',
      rows.map((at) => ({ channelId: ownerId, content: `Later post ${at}`, createdAt })),
    )
    const row = { postId, userId: ownerId }
    const earlier = new Date(Date.now() - 60_000).toISOString()
    await addRows(db, 'comments', [
      ...rows.map((at) => ({ ...row, content: `Later comment ${at}`, createdAt })),
      ...rows.map((at) => ({
        ...{ ...row, parentId, content: `Earlier reply ${at}`, createdAt: earlier },
      })),
    ])
  })
  await post(replier.page, 'comment.create', { postId, parentId, content: 'I do' })
  await page.goto(`/profile/${ownerId}?tab=community`)
  await page.getByText('Later post 59').waitFor()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const notice = page.getByRole('listitem').filter({ hasText: 'The replier replied' })
  await notice.getByRole('link', { name: 'View' }).click()
  const reply = page.getByRole('article', { name: 'Comment by The replier' })
  await reply.getByText('I do').waitFor()
  await expect.poll(() => reply.evaluate((one) => one === document.activeElement)).toBe(true)
  await expect
    .poll(() =>
      reply.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }),
    )
    .toBe(true)
  expect(await auditPage(page)).toEqual([])
  await page.goto(`/profile/${ownerId}?tab=community#comment-999999`)
  await page.reload()
  await page.getByText('The post or comment you followed a link to is gone.').waitFor()
  expect(problems.filter((text) => !text.includes('404'))).toEqual([])
})

longTest('an owner features channels in an order, and visitors see them as cards', async () => {
  const { page, problems } = await server.open()
  await writeRows(server, async (db) => {
    await addMember(db, 'Rust Radio')
    await addMember(db, 'Rust Weekly')
  })
  const id = await register(page, 'curator')
  await page.goto(`/profile/${id}?tab=channels`)
  await page.getByText('No channels available').waitFor()
  const picker = page.getByRole('combobox', { name: 'Feature a channel' })
  for (const name of ['Rust Radio', 'Rust Weekly']) {
    // The index of names follows the rows within a second.
    await expect
      .poll(async () => {
        await picker.fill('')
        await picker.fill(name)
        await page.waitForTimeout(300)
        return page.getByRole('option', { name }).count()
      })
      .toBe(1)
    await page.getByRole('option', { name }).click()
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
  }
  expect(await auditPage(page)).toEqual([])
  const handle = page.getByRole('button', { name: 'Move Rust Weekly', exact: true })
  await handle.press('Space')
  await handle.press('ArrowUp')
  const moved = page.waitForResponse(/featuredChannel\.move/)
  await handle.press('Space')
  await moved

  const visitor = await server.open({ viewport: PHONE })
  await visitor.page.goto(`/profile/${id}?tab=channels`)
  const cards = visitor.page.getByRole('article')
  await cards.first().waitFor()
  expect(await cards.getByRole('heading').allTextContents()).toEqual(['Rust Weekly', 'Rust Radio'])
  await cards.first().getByText('0 subscribers').waitFor()
  await cards.first().getByRole('link', { name: 'Sign in to subscribe' }).waitFor()
  expect(await auditPage(visitor.page)).toEqual([])

  await page.getByRole('button', { name: 'Remove Rust Radio' }).click()
  await page.getByRole('button', { name: 'Remove Rust Radio' }).waitFor({ state: 'detached' })
  expect([...problems, ...visitor.problems]).toEqual([])
})
