import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside, keepPicture } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows, readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

type Row = Partial<Parameters<typeof addVideos>[1][number]>

/** A member on the page of a video of their own, or of another member's. */
async function openWatch(username: string, { ownerName, ...row }: Row & { ownerName?: string }) {
  const opened = await server.open()
  const ownId = await register(opened.page, username)
  const videoId = await writeRows(server, async (db) => {
    const userId = ownerName ? await addMember(db, ownerName) : ownId
    const [id = 0] = await addVideos(db, [{ userId, title: 'A match', duration: 60, ...row }])
    return id
  })
  const comment = async (content: string, parentId?: number) => {
    const data = { videoId, userId: ownId, content, parentId: parentId ?? null }
    const answer = await opened.page.request.post('/api/comments', { data })
    return ((await answer.json()) as { id: number }).id
  }
  const open = () => opened.page.goto(`/video/${videoId}`)
  return { ...opened, videoId, ownId, comment, open }
}

const commentOf = (page: Page, text: string) =>
  page.getByRole('article', { name: /^Comment by/ }).filter({ hasText: text })

const ACTIONS = /^Actions for the comment by/
/** Chooses what can be done with a comment now and then. */
async function act(comment: Locator, entry: string): Promise<void> {
  await comment.getByRole('button', { name: ACTIONS }).click()
  await comment.page().getByRole('menuitem', { name: entry }).click()
}
/** What the menu of a comment offers. */
async function offersOf(comment: Locator): Promise<string[]> {
  await comment.getByRole('button', { name: ACTIONS }).click()
  const items = comment.page().getByRole('menuitem')
  await items.first().waitFor()
  const names = await items.allInnerTexts()
  await comment.page().keyboard.press('Escape')
  await items.first().waitFor({ state: 'detached' })
  return names
}

longTest("one's own comment is changed in its place and marked as edited", async () => {
  const { page, comment, open, problems } = await openWatch('ella', { ownerName: 'Owner One' })
  await comment('Nice shoot')
  await open()
  const own = commentOf(page, 'Nice shoot')
  await act(own, 'Edit')
  const field = page.getByRole('textbox', { name: 'Edit comment' })
  expect(await field.inputValue()).toBe('Nice shoot')
  await field.fill('   ')
  expect(await page.getByRole('article').getByRole('button', { name: 'Save' }).isDisabled()).toBe(
    true,
  )
  await field.fill('Nice shoot')
  await field.press('Escape')
  await field.waitFor({ state: 'detached' })
  await act(own, 'Edit')
  await field.fill('Nice shot')
  await field.press('Control+Enter')
  await commentOf(page, 'Nice shot').getByText('(edited)').waitFor()
  expect(await page.getByText('Nice shoot').count()).toBe(0)
  expect(problems).toEqual([])
})

longTest("one's own comment is deleted with its replies, after a question", async () => {
  const { page, comment, open, problems } = await openWatch('dora', { ownerName: 'Owner Two' })
  const parentId = await comment('Never mind')
  await comment('A reply', parentId)
  await open()
  const own = commentOf(page, 'Never mind')
  const dialog = page.getByRole('dialog', { name: 'Delete this comment?' })
  await act(own, 'Delete')
  await dialog.getByText('Its reply goes with it.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await act(own, 'Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Comment deleted').waitFor()
  await page.getByText('No comments yet').waitFor()
  expect(problems).toEqual([])
})

longTest(
  "a video's owner may delete what others say, but not change it; others may do neither",
  async () => {
    const { page, videoId, open } = await openWatch('host', {})
    const guest = await server.open()
    const guestId = await register(guest.page, 'guest')
    for (const content of ['First here', 'Rude words']) {
      await guest.page.request.post('/api/comments', {
        data: { videoId, userId: guestId, content },
      })
    }
    await open()
    const rude = commentOf(page, 'Rude words')
    expect(await offersOf(rude)).toEqual(['Pin to the top', 'Give a heart', 'Report', 'Delete'])
    await act(rude, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await rude.waitFor({ state: 'detached' })
    await commentOf(page, 'First here').waitFor()

    const stranger = await server.open()
    await register(stranger.page, 'stranger')
    await stranger.page.goto(`/video/${videoId}`)
    const first = commentOf(stranger.page, 'First here')
    await first.getByRole('button', { name: 'REPLY' }).waitFor()
    expect(await offersOf(first)).toEqual(['Report'])
  },
)

longTest(
  "a video's owner pins a comment to the top and loves it, which everybody sees",
  async () => {
    const { page, videoId, comment, open, problems } = await openWatch('pinner', {})
    const guest = await server.open()
    const guestId = await register(guest.page, 'praiser')
    for (const content of ['Read the rules', 'Later words']) {
      await guest.page.request.post('/api/comments', {
        data: { videoId, userId: guestId, content },
      })
    }
    await comment('Welcome to the match')
    await open()
    const rules = commentOf(page, 'Read the rules')
    const firstComment = page.getByRole('article', { name: /^Comment by/ }).first()
    await expect.poll(() => firstComment.innerText()).toContain('Welcome to the match')
    await act(rules, 'Pin to the top')
    await rules.getByText('Pinned').waitFor()
    await expect.poll(() => firstComment.innerText()).toContain('Read the rules')
    await act(rules, 'Give a heart')
    await rules.getByText('Loved by the uploader').waitFor()

    await guest.page.goto(`/video/${videoId}`)
    const seen = commentOf(guest.page, 'Read the rules')
    await seen.getByText('Pinned').waitFor()
    expect(await seen.getByText('Uploader', { exact: true }).count()).toBe(0)
    const own = commentOf(guest.page, 'Welcome to the match')
    await own.getByText('Uploader', { exact: true }).waitFor()
    await seen.getByText('Loved by the uploader').waitFor()
    expect(await offersOf(seen)).toEqual(['Edit', 'Delete'])

    await act(rules, 'Unpin')
    await rules.getByText('Pinned').waitFor({ state: 'detached' })
    await act(rules, 'Remove the heart')
    await rules.getByText('Loved by the uploader').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  },
)

longTest(
  "a notification's link leads to its comment, also to a reply on a later page",
  async () => {
    const { page, videoId, ownId, comment, problems } = await openWatch('reader', {})
    const asked = await comment('Who was that?')
    const talker = await server.open()
    const talkerId = await register(talker.page, 'talker')
    await writeRows(server, async (db) => {
      const said = {
        videoId,
        userId: talkerId,
        withheld: null,
        createdAt: '2027-01-01T00:00:00.000Z',
      }
      const replies = Array.from({ length: 80 }, (_, at) => ({
        ...said,
        parentId: asked,
        content: `Reply ${at}`,
      }))
      const others = Array.from({ length: 60 }, (_, at) => ({
        ...said,
        parentId: null,
        content: `Other ${at}`,
      }))
      await addRows(db, 'comments', [...replies, ...others])
      const { id: commentId } = await readRow(db, 'comments', { content: 'Reply 70' })
      await addRows(db, 'notifications', {
        userId: ownId,
        type: 'comment_reply',
        title: 'The talker replied to your comment',
        message: 'Reply 70',
        sourceUserId: talkerId,
        videoId,
        commentId,
        createdAt: '2026-01-01T00:00:00.000Z',
      })
    })
    await page.goto('/')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    const item = page.getByRole('listitem').filter({ hasText: 'replied to your comment' })
    await item.getByRole('link', { name: 'View' }).click()
    const reply = page
      .getByRole('article', { name: /^Comment by/ })
      .filter({ hasText: /^(?!.*Who was).*Reply 70/s })
    await reply.waitFor()
    await expect.poll(() => reply.evaluate((one) => one === document.activeElement)).toBe(true)
    await expect
      .poll(() =>
        reply.evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        }),
      )
      .toBe(true)
    expect(new URL(page.url()).pathname).toBe(`/video/${videoId}`)
    await keepPicture(page, 'linked-comment')
    await page.goto(`/video/${videoId}#comment-999999`)
    await page.reload()
    await page.getByText('The comment you followed a link to is gone.').waitFor()
    expect(problems.filter((text) => !text.includes('404'))).toEqual([])
  },
)

longTest('comments are counted and put in order, and long ones fold', async () => {
  const { page, videoId, ownId, comment, open, problems } = await openWatch('sorter', {
    ownerName: 'Owner Three',
  })
  const loved = await comment('The best of all')
  const answer = await comment('So it is', loved)
  const pinned = await comment('Read this first')
  const url = 'https://example.org/the-end'
  const long = await comment(`${'Where to begin, and where to end? '.repeat(40)}${url}`)
  await writeRows(server, async (db) => {
    await db.updateTable('comments').set({ isPinned: 1 }).where('id', '=', pinned).execute()
    await db.updateTable('comments').set({ likeCount: 3 }).where('id', '=', loved).execute()
    const said = { videoId, userId: ownId, createdAt: '2027-01-01T00:00:00.000Z' }
    await addRows(
      db,
      'comments',
      Array.from({ length: 30 }, (_, at) => ({ ...said, content: `Said ${at}`, likeCount: 1 })),
    )
  })
  await open()
  const articles = page.getByRole('article', { name: /^Comment by/ })
  const textOf = (at: number) => articles.nth(at).innerText()
  const heading = page.getByRole('heading', { name: /^Comments/ })
  await expect.poll(() => heading.innerText()).toMatch(/^Comments\s+34$/)
  await expect.poll(() => textOf(0)).toContain('Read this first')
  await expect.poll(() => textOf(1)).toContain('Said 29')
  await page.getByText('Best', { exact: true }).click()
  await expect.poll(() => textOf(1)).toContain('The best of all')
  expect(await textOf(0)).toContain('Read this first')
  await page.reload()
  await expect.poll(() => textOf(1)).toContain('The best of all')
  const best = page.getByRole('button', { name: 'Best', exact: true })
  expect(await best.getAttribute('aria-pressed')).toBe('true')

  // What one says oneself is in sight, and in the count, whatever has more likes.
  await page.getByRole('textbox', { name: 'Add a comment' }).fill('My own two cents')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Your comment has been posted successfully.').waitFor()
  await expect.poll(() => heading.innerText()).toMatch(/^Comments\s+35$/)
  expect(await textOf(1)).toContain('My own two cents')
  await act(articles.nth(1), 'Edit')
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('My own three cents')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => textOf(1)).toContain('(edited)')
  // The pinned one is no part of the list: a like shows there too.
  const likePinned = articles.first().getByRole('button', { name: 'Like', exact: false }).first()
  await likePinned.click()
  await expect.poll(() => likePinned.getAttribute('aria-pressed')).toBe('true')
  await act(articles.nth(1), 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => heading.innerText()).toMatch(/^Comments\s+34$/)
  await expect.poll(() => textOf(1)).toContain('The best of all')
  expect(await auditPage(page)).toEqual([])

  await page.getByText('Newest', { exact: true }).click()
  await page.goto(`/video/${videoId}#comment-${answer}`)
  await page.reload()
  const reply = commentOf(page, 'So it is').last()
  await expect.poll(() => reply.evaluate((one) => one === document.activeElement)).toBe(true)

  await page.goto(`/video/${videoId}#comment-${long}`)
  await page.reload()
  const folded = commentOf(page, 'Where to begin')
  const end = folded.getByRole('link', { name: url })
  const less = folded.getByRole('button', { name: 'Show less' })
  const more = folded.getByRole('button', { name: 'Show more' })
  const isEndShown = () =>
    end.evaluate((link) => {
      const text = link.closest('p')?.getBoundingClientRect()
      return link.getBoundingClientRect().bottom <= (text?.bottom ?? 0) + 1
    })
  await less.waitFor()
  expect(await isEndShown()).toBe(true)
  const topOf = async (button: Locator) => (await button.boundingBox())?.y ?? 0
  const before = await topOf(less)
  await less.click()
  await more.waitFor()
  expect(Math.abs((await topOf(more)) - before)).toBeLessThan(2)
  expect(await isEndShown()).toBe(false)
  expect(await folded.locator('p[data-folded]').evaluate((text) => text.clientHeight)).toBeLessThan(
    6 * 23 + 1,
  )
  await more.press('Enter')
  await less.waitFor()
  await less.press('Enter')
  await end.focus()
  await less.waitFor()
  expect(await isEndShown()).toBe(true)
  await keepPicture(page, 'long-comment')
  expect(problems).toEqual([])
})

longTest(
  'a name is completed after an @, by keys or a tap, and its member finds it in the bell',
  async () => {
    const { page, videoId, problems } = await openWatch('mentioner', {})
    const friend = await server.open()
    await register(friend.page, 'bulwarkian')
    await friend.page.goto('/')
    await page.goto(`/video/${videoId}`)
    const field = page.getByRole('textbox', { name: 'Add a comment' })
    const option = page.getByRole('option', { name: /@bulwarkian/ })
    await page.setViewportSize({ width: 1000, height: 500 })
    await field.pressSequentially('Look, mail@bul')
    await field.evaluate((one) => one.scrollIntoView({ block: 'start' }))
    const scrolled = await page.evaluate(() => scrollY)
    expect(scrolled).toBeGreaterThan(100)
    await field.pressSequentially(' @bulw')
    await option.waitFor()
    await expect.poll(() => option.getAttribute('data-combobox-selected')).toBe('true')
    // The list is placed below the field after it has been drawn.
    expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(100)
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    expect(await auditPage(page, { within: 'form' })).toEqual([])
    await field.press('Escape')
    await option.waitFor({ state: 'hidden' })
    expect(await field.inputValue()).toBe('Look, mail@bul @bulw')
    await field.pressSequentially('a')
    await option.waitFor()
    await field.press('Enter')
    expect(await field.inputValue()).toBe('Look, mail@bul @bulwarkian ')
    await field.pressSequentially('and @bul')
    await option.click()
    expect(await field.inputValue()).toBe('Look, mail@bul @bulwarkian and @bulwarkian ')
    await field.press('Control+Enter')
    await page.getByText('Comment added').waitFor()

    await friend.page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await friend.page.getByText('The mentioner mentioned you').waitFor()
    await friend.page.getByRole('link', { name: 'View' }).click()
    await commentOf(friend.page, 'Look, mail@bul').waitFor()
    expect(problems).toEqual([])
  },
)

longTest('a video without a file says so, and the page around it works', async () => {
  const { page, open } = await openWatch('nofile', { description: 'x'.repeat(200) })
  await open()
  await page
    .getByText('Video unavailable: This video file is missing or could not be accessed.')
    .waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Show less' }).waitFor()
  await page.getByRole('button', { name: 'More ways to share' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Copy link', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu', { name: 'Share' }).waitFor({ state: 'detached' })
})

longTest('more is done with a video from the end of its row, by whoever may', async () => {
  const more = (page: Page) => page.getByRole('button', { name: 'More actions' })
  const { page, videoId, open } = await openWatch('owner', {})
  await open()
  await more(page).press('Enter')
  await page.getByRole('menuitem', { name: 'Analytics' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Report' }).count()).toBe(0)
  await page.getByRole('menuitem', { name: 'Edit in the studio' }).click()
  await page.waitForURL('/studio?q=A%20match')
  await page.getByRole('heading', { name: 'Content Studio' }).waitFor()
  await page.getByRole('article', { name: 'A match' }).waitFor()

  const guest = await server.open()
  await guest.page.goto(`/video/${videoId}`)
  await more(guest.page).click()
  await register(guest.page, 'reporter')
  await guest.page.getByRole('menuitem', { name: 'Sign in to report' }).waitFor()
  await guest.page.reload()
  await more(guest.page).click()
  await guest.page.getByRole('menuitem', { name: 'Report' }).click()
  const dialog = guest.page.getByRole('dialog', { name: 'Report this video?' })
  await dialog.getByText('Spam or advertising').click()
  await dialog.getByRole('button', { name: 'Report' }).click()
  await guest.page.getByText('An admin will look at it.').first().waitFor()
})

test.each([
  { width: 390, username: 'wide', counts: { likeCount: 1234, dislikeCount: 7 } },
  ...(isLongForm ? [{ width: 360, username: 'narrow', counts: {} }] : []),
])('at $width px the actions are one row, for members and visitors', async (given) => {
  const { width, username, counts } = given
  const member = await openWatch(username, { ownerName: `owner-${username}`, ...counts })
  const visitor = await server.open()
  for (const { page } of [member, visitor]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/video/${member.videoId}`)
    const like = page.getByText(page === member.page ? 'Like' : 'Sign in to like', { exact: true })
    const last = page.getByRole('button', { name: 'More actions' }).first()
    await last.waitFor()
    await expect
      .poll(async () => {
        const boxes = [await like.first().boundingBox(), await last.boundingBox()]
        const [first, end] = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 })
        if (!first || !end) return false
        const isBeside = first.y < end.y + end.height && first.y + first.height > end.y
        return isBeside && end.x + end.width <= width - 15
      })
      .toBe(true)
    const { x, width: textWidth } = (await like.first().boundingBox()) ?? { x: -1, width: 0 }
    if (page === visitor.page) expect(x > 0 && textWidth > 60).toBe(true)
    expect(await auditPage(page)).toEqual([])
    expect(await findOutside(page)).toEqual([])
  }
})

test('at 1440 × 900 the picture has 70 % of the width, and the titles beside it have room and say why', async () => {
  const row = { title: 'The long night in the desert', category: 'Rust' }
  const { page, ownId, open } = await openWatch('wide', row)
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Digger')
    const channelId = await addMember(db, 'A channel with quite a long name')
    const subscribedAt = timestamp()
    await addRows(db, 'subscriptions', { subscriberId: ownId, channelId, subscribedAt })
    await addVideos(db, [
      { userId: channelId, title: 'Out of the fog' },
      { userId: ownId, title: 'Somebody else was faster than we were' },
      { userId, title: 'Sand everywhere', category: 'Rust' },
    ])
  })
  await open()
  const link = page.getByRole('link', { name: 'Somebody else was faster' }).first()
  await link.waitFor()
  const player = await page.getByRole('region', { name: 'Player' }).boundingBox()
  expect(player?.width).toBeGreaterThanOrEqual(0.7 * 1440)
  // Its own words, two lines at most, none of them cut.
  const heading = page.getByRole('heading', { name: 'Somebody else was faster' })
  const isWhole = await heading.evaluate((text) => text.scrollHeight <= text.clientHeight)
  expect(isWhole).toBe(true)
  const card = (title: string) => page.getByRole('article').filter({ hasText: title })
  await card('Somebody else was faster').getByText('Same channel', { exact: true }).waitFor()
  await card('Sand everywhere').getByText('Same game', { exact: true }).waitFor()
  const followed = card('Out of the fog').getByText('You are subscribed', { exact: true })
  expect(await followed.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
})

test('a video that does not exist leads home', async () => {
  const { page } = await server.open()
  await page.goto('/video/999999')
  await page.getByText('Error Loading Video').first().waitFor()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL('/')
})

longTest(
  'replies beyond the first 50 are shown a page at each press, and behave like the others',
  async () => {
    const { page, comment, open, problems, videoId, ownId } = await openWatch('rita', {
      ownerName: 'Owner Fifty',
    })
    const parentId = await comment('Count with me')
    await writeRows(server, async (db) => {
      const rows = Array.from({ length: 120 }, (_, at) => ({
        ...{ videoId, userId: ownId, parentId, content: `This is number ${at + 1}.` },
        createdAt: `2026-01-01T00:00:00.${String(at).padStart(3, '0')}Z`,
      }))
      await db.insertInto('comments').values(rows).execute()
    })
    await open()
    await page.getByRole('button', { name: '120 REPLIES' }).click()
    const replies = page.getByText(/^This is number/)
    expect(await replies.count()).toBe(50)
    const more = page.getByRole('button', { name: /^Show more replies/ })
    expect(await more.textContent()).toBe('Show more replies (70)')
    await more.click()
    await page.getByText('This is number 100.').waitFor()
    expect(await replies.count()).toBe(100)
    await more.click()
    await page.getByText('This is number 120.').waitFor()
    await more.waitFor({ state: 'detached' })
    const last = commentOf(page, 'This is number 120.').last()
    await act(last, 'Edit')
    await page.getByRole('textbox', { name: 'Edit comment' }).fill('And out.')
    await page.getByRole('textbox', { name: 'Edit comment' }).press('Control+Enter')
    await commentOf(page, 'And out.').last().getByText('(edited)').waitFor()
    await commentOf(page, 'And out.').last().getByRole('button', { name: 'REPLY' }).click()
    await page.getByRole('textbox', { name: /^Reply to/ }).fill('Well counted')
    await page.getByRole('textbox', { name: /^Reply to/ }).press('Control+Enter')
    await page.getByRole('button', { name: 'HIDE 121 REPLIES' }).waitFor()
    await page.getByText('Well counted').waitFor()
    expect(problems).toEqual([])
  },
)
