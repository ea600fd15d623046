import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { addView, addViewSource, addWatchSeconds } from '#server/video/view/view.queries.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, keepPicture, showScheme } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows, readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

/** A new member's page and their videos. */
async function openStudio(
  username: string,
  videos: Partial<Parameters<typeof addVideos>[1][number]>[],
  viewport?: { width: number; height: number },
) {
  const opened = await server.open({ ...(viewport && { viewport }) })
  const userId = await register(opened.page, username)
  const rows = videos.map((video, index) => ({ userId, title: `Match ${index}`, ...video }))
  const ids =
    rows.length > 0 ? await writeRows(server, (db) => addVideos(db, rows)) : ([] as number[])
  await opened.page.goto('/studio')
  return { ...opened, ids }
}

const cardOf = (page: Page, title: string) =>
  page.getByRole('article', { name: title, exact: true })

const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? '')

test('the studio is for members', async () => {
  const { page } = await server.open()
  await page.goto('/studio')
  await page.waitForURL('/auth?next=%2Fstudio')
})

test('a new member is invited to upload', async () => {
  const { page, problems } = await openStudio('newcomer', [])
  await page.getByRole('heading', { level: 1, name: 'Content Studio' }).waitFor()
  await page.getByText('Manage and edit your uploaded videos').waitFor()
  await page.getByText('No videos yet').waitFor()
  await page.getByText('Start your channel by uploading your first video').waitFor()
  await page.getByRole('link', { name: 'Upload New Video' }).waitFor()
  expect(await page.getByRole('tab', { name: 'Analytics (Coming Soon)' }).isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Upload a Video' }).click()
  await page.waitForURL('/upload')
  expect(problems).toEqual([])
})

test('each card shows the facts and the state of its video', async () => {
  const { page, ids } = await openStudio('maker', [
    { title: 'Plain', viewCount: 1500, likeCount: 1, category: 'CS2' },
    { title: 'Secret', isAnonymous: 1, contentApproved: 0, publishedAt: timestamp() },
    { title: 'Broken', processingState: 'failed', processingError: 'The file is cut off.' },
  ])
  const plain = cardOf(page, 'Plain')
  for (const fact of ['CS2', '1 minute ago', '1.5K views', '1 like', 'No thumbnail']) {
    await plain.getByText(fact, { exact: true }).waitFor()
  }
  expect(await plain.getByRole('link', { name: 'View' }).getAttribute('href')).toBe(
    `/video/${ids[0]}`,
  )
  const secret = cardOf(page, 'Secret')
  for (const fact of ['Anonymous', 'Pending Approval', 'Recently published', 'No views']) {
    await secret.getByText(fact, { exact: true }).waitFor()
  }
  await cardOf(page, 'Broken').getByText('The file is cut off.').waitFor()
})

longTest(
  'without a stream the work on a video is asked for, until the video is there',
  async () => {
    const { page, ids } = await openStudio('waiter', [
      { title: 'Scrim', processingState: 'processing', duration: 61 },
    ])
    await page.route(/live\.onChange/, (route) => route.abort())
    await page.reload()
    const [videoId = 0] = ids
    const now = timestamp()
    await writeRows(server, (db) =>
      addRows(db, 'jobs', {
        kind: 'transcode',
        videoId,
        state: 'running',
        percent: 42,
        runAfter: now,
        createdAt: now,
        startedAt: now,
      }),
    )
    const card = cardOf(page, 'Scrim')
    await card.getByText('42%').waitFor()
    const bar = card.getByRole('progressbar', { name: 'Preparing Scrim' })
    expect(await bar.getAttribute('aria-valuenow')).toBe('42')
    await writeRows(server, async (db) => {
      await db.updateTable('jobs').set({ state: 'done' }).where('videoId', '=', videoId).execute()
      const ready = { processingState: 'ready' as const }
      await db.updateTable('videos').set(ready).where('id', '=', videoId).execute()
    })
    await card.getByText('1:01').waitFor()
    expect(await bar.count()).toBe(0)
  },
)

longTest('work can be given up and taken up again, and says how it gets on', async () => {
  const { page, ids } = await openStudio('giver', [
    { title: 'Long', processingState: 'processing', duration: 61 },
  ])
  const [videoId = 0] = ids
  const now = timestamp()
  const job = { kind: 'transcode', videoId, state: 'running', percent: 42 } as const
  const pace = { step: 'encoding', speed: 1.75, secondsLeft: 130 }
  const times = { runAfter: now, createdAt: now, startedAt: now }
  await writeRows(server, (db) => addRows(db, 'jobs', { ...job, ...pace, ...times }))
  await page.reload()
  const card = cardOf(page, 'Long')
  await card.getByText('Picture and sound · 1.8× speed · about 2 minutes left').waitFor()
  await page.goto(`/video/${videoId}`)
  await page.getByText('Picture and sound · 1.8× speed · about 2 minutes left').waitFor()
  await page.getByRole('button', { name: 'Cancel preparing Long' }).click()
  await page.getByText('The work on this video was cancelled.').waitFor()
  await page.goto('/studio')
  await card.getByText('The work on this video was cancelled.').waitFor()
  await card.getByRole('button', { name: 'Try again to prepare Long' }).click()
  await card.getByRole('button', { name: 'Cancel preparing Long' }).waitFor()
})

longTest(
  'what makes a playing video better is shown live, in the studio and on its page',
  async () => {
    const { page, ids } = await openStudio('better', [{ title: 'Ace', duration: 61 }])
    const [videoId = 0] = ids
    const now = timestamp()
    const times = { runAfter: '2999-01-01T00:00:00.000Z', createdAt: now, startedAt: now }
    const pace = { percent: 42, step: 'encoding', speed: 1.75, secondsLeft: 130 }
    await writeRows(server, (db) =>
      addRows(db, 'jobs', { kind: 'ladder', videoId, state: 'running', ...pace, ...times }),
    )
    // Asking is no use here: all that moves comes by the stream.
    await page.route(/\/trpc\/video\.listWork\?/, (route) => route.abort())
    await page.reload()
    const card = cardOf(page, 'Ace')
    const facts = 'Picture and sound · 1.8× speed · about 2 minutes left'
    await card.getByText('Preparing more qualities 42%').waitFor()
    await card.getByText(facts).waitFor()
    await page.goto(`/video/${videoId}`)
    await page.getByText(facts).waitFor()
    const bar = page.getByRole('progressbar', { name: 'Preparing more qualities of Ace' })
    expect(await bar.getAttribute('aria-valuenow')).toBe('42')

    await page.getByRole('button', { name: 'Cancel preparing more qualities of Ace' }).click()
    await bar.waitFor({ state: 'detached' })
    await page.getByText('The work on this video was cancelled.').waitFor()
    await page.getByRole('button', { name: 'Try again to prepare more qualities of Ace' }).waitFor()
  },
)

longTest('what waits for room on the disk says so, in the studio and on its page', async () => {
  const { page, ids } = await openStudio('full', [
    { title: 'First', processingState: 'processing' },
    { title: 'Second', duration: 61 },
  ])
  const [first = 0, second = 0] = ids
  const now = timestamp()
  const job = { state: 'queued', step: 'no-room', createdAt: now } as const
  const runAfter = timestamp(new Date(Date.now() + 300_000))
  await writeRows(server, (db) =>
    addRows(db, 'jobs', [
      { ...job, runAfter, kind: 'transcode', videoId: first },
      { ...job, runAfter, kind: 'ladder', videoId: second },
    ]),
  )
  await page.reload()
  const rest = 'It continues automatically once there is room'
  await cardOf(page, 'First').getByText('Waiting for room on the disk').waitFor()
  await cardOf(page, 'First').getByText(rest).waitFor()
  await cardOf(page, 'Second').getByText('More qualities: waiting for room on the disk').waitFor()
  await page.goto(`/video/${first}`)
  await page.getByText('Waiting for room on the disk').waitFor()
  await page.getByText(rest).waitFor()
  await page.goto(`/video/${second}`)
  await page.getByText('More qualities: waiting for room on the disk').waitFor()
})

longTest(
  'why a playing video got no better is reported to its owner, who can have it tried again',
  async () => {
    const { page, ids } = await openStudio('worse', [{ title: 'Clutch', duration: 61 }])
    const [videoId = 0] = ids
    const now = timestamp()
    const job = { kind: 'ladder', videoId, state: 'failed', error: 'The disk was full.' } as const
    await writeRows(server, (db) =>
      addRows(db, 'jobs', { ...job, runAfter: now, createdAt: now, finishedAt: now }),
    )
    await page.reload()
    const reason = page.getByText('More qualities could not be prepared. The disk was full.')
    await cardOf(page, 'Clutch').getByText('The disk was full.').waitFor()
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('table').getByText('The disk was full.').waitFor()
    await page.goto(`/video/${videoId}`)
    await reason.waitFor()
    await page
      .getByRole('button', { name: 'Try again to prepare more qualities of Clutch' })
      .click()
    await reason.waitFor({ state: 'detached' })
    const { error } = await writeRows(server, (db) => readRow(db, 'jobs', { videoId }))
    expect(error).not.toBe('The disk was full.')
  },
)

longTest('the list is filtered, sorted and searched, and the address says how', async () => {
  const { page } = await openStudio('sorter', [
    { title: 'Beta', viewCount: 5 },
    { title: 'Alpha', viewCount: 1 },
    { title: 'Turned down', contentApproved: 0, rejectionReason: 'The music is not yours.' },
    { title: 'Broken', processingState: 'failed', processingError: 'It is cut off.' },
  ])
  const titles = () => page.getByRole('article').getByRole('heading').allTextContents()
  await cardOf(page, 'Turned down').getByText('The music is not yours.').waitFor()
  await cardOf(page, 'Turned down').getByText('Rejected', { exact: true }).waitFor()
  await chooseOption(page, 'Show', 'Published')
  await expect.poll(titles).toEqual(['Beta', 'Alpha'])
  await chooseOption(page, 'Sort by', 'Title')
  await expect.poll(titles).toEqual(['Alpha', 'Beta'])
  await page.getByRole('searchbox', { name: 'Search your videos' }).fill('bet')
  await expect.poll(titles).toEqual(['Beta'])
  expect(new URL(page.url()).search).toBe('?state=published&sort=title&q=bet')
  await page.reload()
  await expect.poll(titles).toEqual(['Beta'])
  await chooseOption(page, 'Show', 'Failed')
  await page.getByText('No videos found').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(async () => (await titles()).length).toBe(4)
  expect(new URL(page.url()).search).toBe('')
})

test('several videos are changed at once, and deleted once it was said again', async () => {
  const { page, ids } = await openStudio('bulker', [
    { title: 'One', tags: '["old"]' },
    { title: 'Two', tags: '["a1","a2","a3","a4","a5","a6","a7","a8","a9","a10"]' },
    { title: 'Three' },
  ])
  await page.getByRole('button', { name: 'Table' }).click()
  const table = page.getByRole('table')
  await table.getByRole('row', { name: /One/ }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await table.getByLabel('Select One').check()
  const bar = page.getByRole('region', { name: 'Selected videos' })
  await bar.getByText('1 selected').waitFor()
  await table.getByLabel('Select Two').check()
  await bar.getByRole('button', { name: 'Edit selected' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit 2 videos' })
  expect(await dialog.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Category').click()
  await page.getByRole('option', { name: 'Rust' }).click()
  await dialog.getByLabel('Add tags').fill('#new')
  await dialog.getByLabel('Add tags').press('Enter')
  await dialog.getByLabel('Remove tags').fill('old')
  await dialog.getByLabel('Remove tags').press('Enter')
  await chooseOption(dialog, 'Show in Discord', 'No')
  expect(await auditPage(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await dialog.getByText('1 changed. 1 could not be:').waitFor()
  await dialog.getByText('A video has at most 10 tags.').waitFor()
  await dialog.getByText('Close', { exact: true }).click()
  const saved = await writeRows(server, (db) =>
    db
      .selectFrom('videos')
      .select(['category', 'tags', 'discordEmbed'])
      .where('id', '=', ids[0] ?? 0)
      .executeTakeFirst(),
  )
  expect(saved).toEqual({ category: 'Rust', tags: '["new"]', discordEmbed: 0 })
  await bar.getByText('1 selected').waitFor()

  await bar.getByRole('button', { name: 'Select all shown' }).click()
  await bar.getByText('3 selected').waitFor()
  await bar.getByRole('button', { name: 'Delete selected' }).click()
  const question = page.getByRole('dialog', { name: 'Delete 3 videos' })
  await question.getByText('This cannot be undone.').waitFor()
  await question.getByText('Three').waitFor()
  await question.getByRole('button', { name: 'Delete 3 videos' }).click()
  await page.getByText('No videos yet').waitFor()
})

longTest('the edit dialog has three parts as tabs, and nothing moves between them', async () => {
  for (const [username, viewport] of [
    ['parts', DESKTOP],
    ['small', PHONE],
  ] as const) {
    const { page, problems } = await openStudio(username, [{ title: 'Before' }], viewport)
    await cardOf(page, 'Before').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Video' })
    const tab = (name: string) => dialog.getByRole('tab', { name, exact: true })
    const fixed = [dialog, tab('Advanced'), dialog.getByRole('button', { name: 'Save Changes' })]
    const boxes = () => Promise.all(fixed.map((one) => one.boundingBox()))
    await dialog.getByLabel('Title').fill('Between')
    const before = await boxes()
    await tab('Details').focus()
    for (const [name, field] of [
      ['Who can watch', 'Expires'],
      ['Advanced', 'Show in Discord'],
      ['Details', 'Description'],
    ] as const) {
      await page.keyboard.press('ArrowRight')
      await expect
        .poll(() => tab(name).evaluate((one) => one === document.activeElement))
        .toBe(true)
      const panel = dialog.getByRole('tabpanel', { name, exact: true })
      await panel.getByLabel(field).first().waitFor()
      expect(await dialog.getByRole('tabpanel').count()).toBe(1)
      expect(await boxes()).toEqual(before)
      expect(await auditPage(page)).toEqual([])
      for (const scheme of ['dark', 'light']) {
        await showScheme(page, scheme)
        await keepPicture(page, `edit ${name} ${viewport.width} ${scheme}`)
      }
    }
    // Its input stays.
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Between')
    await dialog.getByLabel('Title').fill('')
    await tab('Advanced').click()
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await dialog.getByRole('tab', { name: 'Details (has an error)', selected: true }).waitFor()
    expect(await focusedName(page)).toBe('title')
    await dialog.getByLabel('Title').fill('After')
    await tab('Details').waitFor()
    expect(problems).toEqual([])
  }
})

test('the edit dialog minds its keys, keeps what was typed when it is refused, and saves', async () => {
  const { page, ids } = await openStudio('editor', [
    { title: 'Before', description: 'Old words', tags: '["ace"]' },
  ])
  const edit = cardOf(page, 'Before').getByRole('button', { name: 'Edit' })
  await edit.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit Video' })
  await dialog.getByText('Make changes to your video details below').waitFor()
  await expect.poll(() => focusedName(page)).toBe('title')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => edit.evaluate((button) => button === document.activeElement)).toBe(true)

  await edit.click()
  const title = dialog.getByLabel('Title')
  expect(await title.inputValue()).toBe('Before')
  await dialog.getByRole('tab', { name: 'Who can watch' }).click()
  expect(await dialog.getByLabel('Anonymous Upload').isChecked()).toBe(false)
  await dialog.getByRole('tab', { name: 'Advanced' }).click()
  expect(await dialog.getByLabel('Show in Discord').isChecked()).toBe(true)
  await dialog.getByRole('tab', { name: 'Details' }).click()
  await dialog.getByText('6 / 100').waitFor()

  const save = dialog.getByRole('button', { name: 'Save Changes' })
  await title.fill('')
  await save.click()
  await dialog.getByText('Title is required').waitFor()
  expect(await focusedName(page)).toBe('title')
  await title.fill('x'.repeat(101))
  await dialog.getByText('Title must be at most 100 characters').waitFor()
  await title.fill('After')
  await dialog.getByLabel('Description').fill('y'.repeat(5001))
  await save.click()
  await dialog.getByText('Description must be at most 5000 characters').waitFor()
  await dialog.getByLabel('Description').fill('New words')
  await dialog.getByLabel('Tags').fill('#squad')
  await dialog.getByLabel('Tags').press('Enter')
  await dialog.getByLabel('Category').click()
  await page.getByRole('option', { name: 'Tarkov' }).click()
  await dialog.getByRole('tab', { name: 'Who can watch' }).click()
  await dialog.getByLabel('Anonymous Upload').click()

  await page.route(/video\.edit/, (route) => route.abort())
  await save.click()
  await page.getByRole('alert').getByText('Failed to update video').waitFor()
  await dialog.getByText('Nothing you typed is lost').waitFor()
  expect(await title.inputValue()).toBe('After')
  await page.unroute(/video\.edit/)
  await save.click()
  const toast = page.getByRole('status').filter({ hasText: 'Video updated successfully' })
  await toast.getByText('Your changes have been saved.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const card = cardOf(page, 'After')
  await card.getByText('Anonymous').waitFor()
  await card.getByText('Tarkov').waitFor()
  const saved = await writeRows(server, (db) =>
    db
      .selectFrom('videos')
      .select(['description', 'tags', 'discordEmbed'])
      .where('id', '=', ids[0] ?? 0)
      .executeTakeFirst(),
  )
  expect(saved).toEqual({ description: 'New words', tags: '["ace","squad"]', discordEmbed: 1 })
})

longTest(
  'what another tab changed stays, and a field that both changed is asked about',
  async () => {
    const { page, ids } = await openStudio('twice', [
      { title: 'Before', description: 'Old words', tags: '["ace"]' },
    ])
    const other = await page.context().newPage()
    await other.goto('/studio')
    const open = async (at: Page) => {
      await cardOf(at, 'Before').getByRole('button', { name: 'Edit' }).click()
      return at.getByRole('dialog', { name: 'Edit Video' })
    }
    const [mine, theirs] = [await open(page), await open(other)]
    await theirs.getByRole('textbox', { name: 'Title' }).fill('Theirs')
    await theirs.getByRole('tab', { name: 'Advanced' }).click()
    await theirs.getByLabel('Show in Discord').click()
    await theirs.getByRole('button', { name: 'Save Changes' }).click()
    await theirs.waitFor({ state: 'detached' })
    const stored = async () => {
      const row = await writeRows(server, (db) => readRow(db, 'videos', { id: ids[0] ?? 0 }))
      const { title, description, tags, discordEmbed } = row
      return { title, description, tags, discordEmbed }
    }

    // The page did not hear of it.
    await mine.getByRole('textbox', { name: 'Description' }).fill('New words')
    const save = mine.getByRole('button', { name: 'Save Changes' })
    await mine.getByRole('textbox', { name: 'Title' }).fill('Mine')
    await save.click()
    const panel = mine.getByRole('alert', { name: 'Someone else changed this in the meantime' })
    await panel
      .getByRole('group', { name: 'Title' })
      .getByText('Theirs', { exact: true })
      .nth(1)
      .waitFor()
    await panel
      .getByRole('group', { name: 'Title' })
      .getByText('Mine', { exact: true })
      .nth(1)
      .waitFor()
    expect(await panel.getByRole('group').count()).toBe(1)
    expect(await panel.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await mine.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Mine')
    expect(await mine.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('New words')
    const before = { title: 'Theirs', description: 'Old words', tags: '["ace"]', discordEmbed: 0 }
    expect(await stored()).toEqual(before)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await mine.waitFor({ state: 'detached' })
    await cardOf(page, 'Mine').waitFor()
    expect(await stored()).toEqual({ ...before, title: 'Mine', description: 'New words' })

    // The other tab still has what it saved.
    await cardOf(other, 'Theirs').getByRole('button', { name: 'Edit' }).click()
    await theirs.getByRole('textbox', { name: 'Title' }).fill('Third')
    await theirs.getByRole('textbox', { name: 'Description' }).fill('Third words')
    await theirs.getByRole('button', { name: 'Save Changes' }).click()
    await theirs.getByRole('button', { name: 'Use theirs: Title' }).click()
    await theirs.getByRole('button', { name: 'Use theirs: Description' }).click()
    await theirs.getByRole('alert', { name: 'Somebody else' }).waitFor({ state: 'detached' })
    expect(await theirs.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Mine')
    expect(await theirs.getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'New words',
    )
    expect(await focusedName(other)).toBe('description')
    expect(await stored()).toEqual({ ...before, title: 'Mine', description: 'New words' })
    await other.close()
  },
)

longTest('deleting asks first, says so, and leaves the focus at the neighbour', async () => {
  const { page } = await openStudio('remover', [{ title: 'Goes' }, { title: 'Stays' }])
  const goes = cardOf(page, 'Goes')
  await goes.getByRole('button', { name: 'Delete' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete Video' })
  await dialog
    .getByText('Are you sure you want to delete this video? This action cannot be undone.')
    .waitFor()
  await dialog.getByText('Goes').waitFor()
  await dialog.getByText('No views · 1 minute ago').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })

  await goes.getByRole('button', { name: 'Delete' }).click()
  await page.route(/video\.delete/, (route) => route.abort())
  const confirm = dialog.getByRole('button', { name: 'Delete Video' })
  await confirm.click()
  await page.getByRole('alert').getByText('Failed to delete video').waitFor()
  await page.unroute(/video\.delete/)
  await confirm.click()
  const toast = page.getByRole('status').filter({ hasText: 'Video deleted' })
  await toast.getByText('The video has been removed from your channel.').waitFor()
  await goes.waitFor({ state: 'detached' })
  const next = cardOf(page, 'Stays').getByRole('button', { name: 'Delete' })
  expect(await next.evaluate((button) => button === document.activeElement)).toBe(true)
})

longTest(
  'the analytics are there from the first video: by day, by source, and for each video',
  async () => {
    const { page, ids, problems } = await openStudio('viewed', [
      { title: 'Ace' },
      { title: 'Raid' },
    ])
    await page.getByRole('tab', { name: 'Analytics', exact: true }).click()
    await page.getByText('No views yet. Each day will have its bar here.').waitFor()
    await page.getByText('No views yet. Your most viewed videos appear here.').waitFor()
    const [ace = 0, raid = 0] = ids
    await writeRows(server, async (db) => {
      await db.transaction().execute(async (transaction) => {
        for (const videoId of [ace, ace, raid]) {
          await addView(transaction, videoId)
          const source = videoId === ace ? 'search' : 'embed'
          await addViewSource(transaction, { videoId, source })
        }
        await addWatchSeconds(transaction, [{ videoId: ace, seconds: 90 }])
      })
    })
    await page.reload()
    const views = page.getByRole('button', { name: '3 Views', pressed: true })
    await views.waitFor()
    await page.getByRole('button', { name: '2 min Watch time' }).click()
    await page.getByRole('region', { name: 'Watch time by day' }).waitFor()
    const sources = page.getByRole('region', { name: 'Where views come from' })
    await sources.getByText('2 (67%)').waitFor()
    await sources.getByText('Embedded players').waitFor()
    await chooseOption(page, 'Span', '90 days')
    await page
      .getByRole('region', { name: 'Most viewed' })
      .getByRole('button', { name: 'Ace' })
      .click()
    await page.getByRole('heading', { name: 'Ace' }).waitFor()
    expect(page.url()).toContain(`video=${ace}`)
    await page.getByRole('button', { name: '2 Views' }).waitFor()
    await page.getByText('Not enough views yet. A curve will show where viewers leave.').waitFor()
    await page.getByRole('button', { name: 'All your videos' }).click()
    await views.waitFor()
    expect(problems).toEqual([])
  },
)

longTest('videos that cannot be loaded can be tried again', async () => {
  const { page } = await openStudio('unlucky', [{ title: 'Hidden' }])
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Upload Video' }).waitFor()
  await page.route(/video\.listByUser/, (route) => route.abort())
  await page.getByRole('link', { name: 'Studio' }).click()
  await page.getByText('Failed to load your videos').waitFor()
  await page.getByText('There was an error loading your content').waitFor()
  await page.getByText('Failed to fetch videos', { exact: true }).waitFor()
  await page.unroute(/video\.listByUser/)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await cardOf(page, 'Hidden').waitFor()
})

longTest.each([
  ['a desktop', undefined, 'wide'],
  ['a phone', PHONE, 'narrow'],
] as const)('everybody can use the studio on %s', async (_, viewport, username) => {
  const { page } = await openStudio(username, [{ title: 'Only' }], viewport)
  const audit = () => auditPage(page)
  const card = cardOf(page, 'Only')
  await card.waitFor()
  expect(await audit()).toEqual([])
  for (const name of ['Edit', 'Delete']) {
    await card.getByRole('button', { name }).click()
    await page.getByRole('dialog').waitFor()
    await expect.poll(audit).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

longTest(
  'the owner says what each sound track is of, with the recorder’s name to go back to',
  async () => {
    const { page, ids, problems } = await openStudio('mixer', [{ title: 'Squad' }])
    const videoId = ids[0] as number
    await writeRows(server, async (db) => {
      const track = { videoId, number: 2, file: 'sound-2.m4a', language: null }
      await db.insertInto('soundTracks').values(track).execute()
      await db.insertInto('soundNames').values({ videoId, number: 2, name: 'Mic/Aux' }).execute()
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('tab', { name: 'Advanced' }).click()
    const second = page.getByRole('combobox', { name: 'Track 2' })
    await expect.poll(() => second.inputValue()).toBe('As recorded: Mic/Aux')
    await second.press('Enter')
    await page.getByRole('option', { name: 'Voice' }).click()
    await expect.poll(() => second.inputValue()).toBe('Voice')
    expect(await auditPage(page)).toEqual([])
    const { kind } = await writeRows(server, (db) => readRow(db, 'soundNames', { videoId }))
    expect(kind).toBe('voice')
    expect(problems).toEqual([])
  },
)

longTest('the storage tab shows each part, and deletes one item or all of them', async () => {
  const opened = await openStudio('hoarder', [
    { title: 'Long match', storageBytes: 3_000_000 },
    { title: 'Short match', storageBytes: 1_000_000 },
  ])
  const { page, ids, problems } = opened
  const [long = 0, short = 0] = ids
  await writeRows(server, async (db) => {
    const file = (videoId: number, name: string, bytes: number) => ({
      ...{ videoId, name, bytes, kind: 'captions' as const },
    })
    const files = [file(long, 'captions-1.vtt', 400_000), file(short, 'captions-2.vtt', 200_000)]
    await db.insertInto('mediaFiles').values(files).execute()
  })
  await page.getByRole('tab', { name: 'Storage' }).click()
  await page.waitForURL('**/studio?tab=storage')
  await page.getByRole('heading', { name: '3.8MB stored' }).waitFor()
  const captions = page.getByRole('region', { name: 'Captions' })
  await captions.getByText('586KB').waitFor()
  await captions.getByRole('button', { name: '2 videos' }).click()
  await captions.getByRole('link', { name: 'Long match' }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await captions.getByRole('button', { name: 'Delete: Captions, Long match' }).click()
  await page.getByRole('dialog').getByText('The captions are deleted for good.').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await captions.getByText('195KB').first().waitFor()
  await captions.getByRole('button', { name: 'Delete all: Captions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await captions.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Videos' }).getByText('3.2MB').waitFor()
  expect(problems).toEqual([])
})

longTest('the storage of a new member is empty, and a quota that is used up is told', async () => {
  const { page } = await openStudio('frugal', [], PHONE)
  await page.getByRole('tab', { name: 'Storage' }).click()
  await page.getByText('Nothing is stored yet').waitFor()
  await writeRows(server, async (db) => {
    const user = await db
      .updateTable('users')
      .set({ quotaBytes: 2_000_000 })
      .where('username', '=', 'frugal')
      .returning('id')
      .executeTakeFirstOrThrow()
    await addVideos(db, [{ userId: user.id, title: 'Too long', storageBytes: 3_000_000 }])
  })
  await page.reload()
  await page.getByRole('progressbar', { name: '2.9MB of 1.9MB used' }).waitFor()
  await page.getByText('Your storage is full.').waitFor()
  expect(await auditPage(page)).toEqual([])
})
