import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { makePng } from '#test/support/png.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, writeRows } from '#test/support/site-rows.ts'
import { tryQueue } from '#test/torture/support/queue-trial.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '' } })
let page: Page
let cdp: CDPSession
let clip: Buffer
let memberId: number
let memberNumber = 0
let made = 0

beforeAll(async () => {
  const path = join(server.dataFolder, 'clip.mp4')
  await makeClip({ path, seconds: 1 })
  clip = await readFile(path)
})
/** A member of one's own, at home. */
beforeEach(async () => {
  ;({ page } = await server.open())
  cdp = await page.context().newCDPSession(page)
  memberNumber = ++made
  memberId = await register(page, `member${memberNumber}`)
  await openHome()
})

/** Until the page listens for files. */
async function openHome(): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Upload', exact: true }).first().waitFor()
  await page.evaluate(() => new Promise(requestAnimationFrame))
}

/** A clip that no other test has: a box that players skip distinguishes it, and makes it as long as asked. */
async function makeFile(name: string, bytes = 0): Promise<string> {
  const path = join(server.dataFolder, String(++made), name)
  await mkdir(join(path, '..'))
  const box = Buffer.alloc(Math.max(16, bytes - clip.length))
  box.writeUInt32BE(box.length)
  box.write('free', 4)
  box.writeUInt32BE(made, 8)
  await writeFile(path, Buffer.concat([clip, box]))
  return path
}

/** Bytes per second that leave the browser. */
const slowDown = (uploadThroughput: number) =>
  cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  })
const SLOW = 400_000

/** Drops files and folders of the disk, as the browser's own drag and drop would; a lost event is sent again. */
async function drop(...files: string[]): Promise<void> {
  const data = { items: [], files, dragOperationsMask: 1 }
  await expect
    .poll(async () => {
      for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
        await cdp.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data })
      }
      // Reading a large folder takes a while.
      return tray()
        .waitFor({ timeout: 5000 })
        .then(
          () => true,
          () => false,
        )
    })
    .toBe(true)
}

/** Pastes a file into the page. */
const paste = async (path: string) =>
  page.evaluate(
    ([name, base64]) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: 'video/mp4', lastModified: 1 }))
      const event = { clipboardData: data, bubbles: true, cancelable: true }
      document.body.dispatchEvent(new ClipboardEvent('paste', event))
    },
    [basename(path), (await readFile(path)).toString('base64')] as const,
  )

/** Chooses files on the upload page. */
async function choose(...files: string[]): Promise<void> {
  if (!page.url().endsWith('/upload')) {
    await page.getByRole('link', { name: 'Upload', exact: true }).first().click()
  }
  await page.getByLabel('Several video files').setInputFiles(files)
}

const tray = () => page.getByRole('region', { name: 'Uploads' })
const row = (title: string) => tray().getByRole('listitem').filter({ hasText: title })
const says = (title: string, text: string | RegExp) => row(title).getByText(text).waitFor()
const openMenu = async (title: string, entry: string) => {
  await tray()
    .getByRole('button', { name: `Actions for ${title}` })
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const chooseLevel = async (within: Locator, name: string) => {
  await within.getByRole('combobox', { name: 'Visibility' }).click()
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
}
/** On the page for that. */
async function logIn(username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('link', { name: 'Upload', exact: true }).first().waitFor()
}

const videosOf = (id = memberId) =>
  writeRows(server, (db) =>
    db.selectFrom('videos').selectAll().where('userId', '=', id).orderBy('id').execute(),
  )
const titlesOf = async () => (await videosOf()).map(({ title }) => title).sort()

/** Notes what the page has the operating system show, which shows it all the same. */
const recordNotifications = () =>
  page.evaluate(() => {
    const shown: string[] = []
    Object.assign(window, { shownNotifications: shown })
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        shown.push(`${title}: ${options?.body}`)
      }
    }
  })
const shownNotifications = () =>
  page.evaluate(() => (window as unknown as { shownNotifications: string[] }).shownNotifications)

test('files dropped on any page travel two at a time while one browses, and say when they play', async () => {
  await page.context().grantPermissions(['notifications'])
  await recordNotifications()
  await slowDown(SLOW)
  const names = ['one.mp4', 'two.mp4', 'three.mp4']
  const paths = await Promise.all(names.map((name) => makeFile(name, 1_000_000)))
  await drop(...paths)
  await says('three', 'Waiting')
  await says('one', /\d+% · .+\/s · .+ left/)
  await says('two', /\d+%/)
  await row('one').locator('img[src^="blob:"]').waitFor()
  await expect.poll(() => page.title()).toMatch(/^\d+% · /)
  await page.getByRole('link', { name: 'Studio' }).first().click()
  await page.waitForURL('/studio')
  await tray().getByRole('heading', { name: 'Uploading 1 of 3' }).waitFor()
  await page.getByRole('button', { name: 'Actions for all uploads' }).click()
  // The message disappears after some seconds.
  const isPromised = page.getByText('You will be notified when all uploads are ready.').waitFor()
  await page.getByRole('menuitem', { name: 'Notify me when all are ready' }).click()
  await isPromised
  await slowDown(-1)
  await page.getByText('Ready to watch', { exact: true }).first().waitFor()
  await page.getByText('3 videos are uploaded and can be watched.').waitFor()
  expect(await shownNotifications()).toEqual([
    'Ready to watch: 3 videos are uploaded and can be watched.',
  ])
  expect(await titlesOf()).toEqual(['one', 'three', 'two'])
  await expect.poll(() => page.title()).toMatch(/^Content Studio/)
  await tray().getByRole('link', { name: 'Watch two' }).click()
  await page.getByRole('heading', { name: 'two' }).waitFor()
  await tray().getByRole('button', { name: 'Close uploads' }).click()
  await tray().waitFor({ state: 'detached' })
})

longTest('several chunks of a dropped file are under way at once', async () => {
  let [underWay, most] = [0, 0]
  const isChunk = (url: string) => url.endsWith('/uploads/chunk')
  page.on('request', (request) => {
    if (isChunk(request.url())) most = Math.max(most, ++underWay)
  })
  page.on('response', (response) => {
    if (isChunk(response.url())) underWay--
  })
  await drop(await makeFile('large.mp4', 16 * UPLOAD_CHUNK_BYTES))
  await says('large', 'Ready to watch')
  expect(most).toBeGreaterThan(1)
  expect(await titlesOf()).toEqual(['large'])
})

longTest(
  'details are edited while a file travels, for one and for several, and are the next one’s defaults',
  async () => {
    await slowDown(SLOW / 2)
    await writeRows(server, (db) => addMember(db, 'squadmate'))
    const rust = await makeFile('Rust 2025.05.01 - 22.48.17.03.mp4', 2_000_000)
    const match = await makeFile('match.mp4', 2_000_000)
    await choose(rust, match)
    await row('Rust').getByRole('button', { name: 'Use “Rust, 1 May 2025, 22:48”' }).click()
    await row('Rust, 1 May 2025, 22:48').waitFor()
    await openMenu('match', 'Edit details')
    const dialog = page.getByRole('dialog', { name: 'Edit details' })
    await dialog.getByLabel('Title').fill('The last stand')
    await dialog.getByLabel('Description').fill('Two against nine')
    await dialog.getByLabel('Add a member').fill('squad')
    await page.getByRole('option', { name: '(@squadmate)' }).click()
    await dialog.getByText('@squadmate').waitFor()
    await dialog.getByLabel('Thumbnail', { exact: true }).setInputFiles({
      name: 'own.png',
      mimeType: 'image/png',
      buffer: makePng(64, 36),
    })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for all uploads' }).click()
    await page.getByRole('menuitem', { name: 'Edit several' }).click()
    const several = page.getByRole('dialog', { name: 'Edit several' })
    await several.getByLabel('Add tags').fill('ace,')
    await chooseOption(several, 'Upload anonymously', 'Yes')
    await several.getByRole('button', { name: 'Change 2 videos' }).click()
    await slowDown(-1)
    await expect.poll(async () => (await videosOf()).length, { timeout: 60_000 }).toBe(2)
    await tray().getByRole('heading', { name: '2 videos ready' }).waitFor()
    const videos = await videosOf()
    const find = (title: string) => videos.find((video) => video.title === title)
    expect(find('Rust, 1 May 2025, 22:48')).toMatchObject({
      category: 'Rust',
      tags: '["ace"]',
      isAnonymous: 1,
    })
    expect(find('The last stand')).toMatchObject({
      description: 'Two against nine',
      tags: '["ace"]',
      isAnonymous: 1,
      thumbnailUrl: expect.stringContaining('/thumbnail-'),
    })
    const named = await writeRows(server, (db) =>
      db
        .selectFrom('participants')
        .innerJoin('users', 'users.id', 'participants.userId')
        .select(['videoId', 'username'])
        .execute(),
    )
    expect(named).toEqual([{ videoId: find('The last stand')?.id, username: 'squadmate' }])
    await choose(await makeFile('next.mp4'))
    await says('next', 'Ready to watch')
    const next = (await videosOf()).find(({ title }) => title === 'next')
    expect(next).toMatchObject({ tags: '["ace"]', isAnonymous: 1 })
  },
)

longTest(
  'files that come together are asked once for game and visibility, and what needs approval says so first',
  async () => {
    const setApproval = (uploadsNeedApproval: 0 | 1) =>
      writeRows(server, (db) =>
        db.updateTable('siteSettings').set({ uploadsNeedApproval }).execute(),
      )
    await setApproval(1)
    try {
      await page.goto('/upload')
      const note = page.getByText(/^New videos need an admin.s approval/)
      await note.waitFor()
      await slowDown(SLOW / 2)
      await choose(await makeFile('alone.mp4', 1_000_000))
      await row('alone').waitFor()
      expect(
        await tray()
          .getByRole('group', { name: /^For all/ })
          .count(),
      ).toBe(0)
      await choose(
        ...(await Promise.all(['left.mp4', 'right.mp4'].map((name) => makeFile(name, 1_000_000)))),
      )
      const asked = tray().getByRole('group', { name: 'For all 2 videos' })
      await asked.waitFor()
      await tray()
        .getByText(/^New videos need an admin.s approval/)
        .waitFor()
      await chooseOption(asked, 'Category', 'Rust')
      await chooseLevel(asked, 'Members')
      for (const size of [DESKTOP, PHONE]) {
        await page.setViewportSize(size)
        expect(await auditPage(page)).toEqual([])
        expect(await findOutside(page)).toEqual([])
      }
      await page.setViewportSize(DESKTOP)
      await openMenu('right', 'Edit details')
      const dialog = page.getByRole('dialog', { name: 'Edit details' })
      await chooseLevel(dialog, 'Private')
      await dialog.getByRole('button', { name: 'Done' }).click()
      expect(await asked.getByRole('combobox', { name: 'Category' }).inputValue()).toBe('Rust')
      expect(await asked.getByRole('combobox', { name: 'Visibility' }).inputValue()).toBe(
        'Keep as it is',
      )
      await asked.getByRole('button', { name: 'Done' }).click()
      await asked.waitFor({ state: 'detached' })
      await slowDown(-1)
      await expect.poll(async () => (await videosOf()).length, { timeout: 60_000 }).toBe(3)
      const levels = (await videosOf()).map(({ title, category, visibility }) => [
        title,
        category,
        visibility,
      ])
      expect(levels.sort()).toEqual([
        ['alone', 'Other', 'public'],
        ['left', 'Rust', 'members'],
        ['right', 'Rust', 'private'],
      ])
    } finally {
      await setApproval(0)
    }
  },
)

longTest('a file is paused, goes on, is moved by keys and cancelled after a question', async () => {
  await slowDown(SLOW / 4)
  const names = ['aaa.mp4', 'bbb.mp4', 'ccc.mp4', 'ddd.mp4']
  await choose(...(await Promise.all(names.map((name) => makeFile(name, 1_500_000)))))
  await says('aaa', /\d+%/)
  await page.getByRole('button', { name: 'Pause aaa' }).click()
  await says('aaa', /Paused at \d+%/)
  await says('ccc', /\d+%/)
  const handle = page.getByRole('button', { name: 'Move ddd' })
  await handle.focus()
  for (const key of ['Space', 'ArrowUp', 'ArrowUp', 'Space']) await page.keyboard.press(key)
  const order = () =>
    tray()
      .getByRole('listitem')
      .getByText(/^(aaa|bbb|ccc|ddd)$/)
      .allTextContents()
  expect(await order()).toEqual(['aaa', 'ddd', 'bbb', 'ccc'])
  await openMenu('bbb', 'Cancel upload')
  const question = page.getByRole('dialog', { name: 'Cancel “bbb”?' })
  await question.getByRole('button', { name: 'Cancel', exact: true }).click()
  await says('bbb', /\d+%/)
  await openMenu('bbb', 'Cancel upload')
  await question.getByRole('button', { name: 'Cancel upload' }).click()
  await row('bbb').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Resume aaa' }).click()
  await slowDown(-1)
  await tray().getByRole('heading', { name: '3 videos ready' }).waitFor()
  expect(await titlesOf()).toEqual(['aaa', 'ccc', 'ddd'])
})

longTest('after a reload the file is asked for again, with everything that was typed', async () => {
  await slowDown(2_000_000)
  const path = await makeFile('mandel.mp4', 4 * UPLOAD_CHUNK_BYTES)
  const other = await makeFile('other.mp4', 100_000)
  const second = await makeFile('second.mp4', 4 * UPLOAD_CHUNK_BYTES)
  const third = await makeFile('third.mp4')
  await choose(path, second, third)
  await says('mandel', /\d+%/)
  // Two travel at a time: of the third the server knows nothing yet.
  await says('third', 'Waiting')
  await openMenu('third', 'Edit details')
  await page.getByRole('dialog', { name: 'Edit details' }).getByLabel('Title').fill('Third time')
  await page
    .getByRole('dialog', { name: 'Edit details' })
    .getByLabel('Thumbnail', { exact: true })
    .setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer: makePng(64, 36) })
  await page.getByRole('dialog', { name: 'Edit details' }).getByText('Done').click()
  await openMenu('mandel', 'Edit details')
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  await dialog.getByLabel('Title').fill('Mandel holds B')
  await dialog.getByLabel('Description').fill('All alone')
  await expect
    .poll(() =>
      writeRows(server, (db) =>
        db.selectFrom('uploads').select('title').where('userId', '=', memberId).execute(),
      ),
    )
    .toContainEqual({ title: 'Mandel holds B' })
  await expect
    .poll(() => writeRows(server, (db) => db.selectFrom('uploadChunks').selectAll().execute()))
    .not.toEqual([])
  const asked = page.waitForEvent('dialog').then((question) => question.accept())
  await page.reload()
  await asked
  cdp = await page.context().newCDPSession(page)
  await says('Mandel holds B', /mandel\.mp4 is \d+% uploaded: choose it again/)
  const file = tray().getByLabel('File of Mandel holds B')
  await file.setInputFiles(other)
  await says('Mandel holds B', '“other.mp4” is another file. Choose “mandel.mp4”.')
  await file.setInputFiles(path)
  await says('Mandel holds B', 'Ready to watch')
  await says('Third time', 'third.mp4 has not been uploaded yet: choose it again')
  await says('Third time', /^The thumbnail was lost when the page reloaded/)
  await tray().getByLabel('File of Third time').setInputFiles(third)
  await says('Third time', 'Ready to watch')
  await says('second', /second\.mp4 is \d+% uploaded: choose it again/)
  expect(await videosOf()).toMatchObject([
    { title: 'Mandel holds B', description: 'All alone' },
    { title: 'Third time' },
  ])
  // What is uploaded is not asked for again.
  await page.reload()
  await says('second', /choose it again/)
  expect(
    await tray()
      .getByRole('button', { name: /^Choose .* again$/ })
      .count(),
  ).toBe(1)
})

longTest(
  'files dropped at once are there once each after the server was killed and the tab reloaded',
  async () => {
    const trial = {
      browser: server.browser,
      folder: join(server.dataFolder, 'trial'),
      files: 4,
      bytes: 2_500_000,
      kills: 1,
    }
    await mkdir(trial.folder)
    const { titles, expected, killed } = await tryQueue({ ...trial, bytesPerSecond: 3_000_000 })
    expect(titles).toEqual(expected)
    expect(killed.map(({ open }) => open > 0)).toEqual([true])
  },
)

longTest(
  'a pasted file is uploaded; a duplicate is reported before it is sent, and goes when it is wanted',
  async () => {
    const path = await makeFile('again.mp4')
    await paste(path)
    await says('again', 'Ready to watch')
    await tray().getByRole('button', { name: 'Close uploads' }).click()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await choose(path)
    await says('again', 'You uploaded this already, as “again”')
    expect(sent.filter((url) => /initialize|chunk/.test(url))).toEqual([])
    await openMenu('again', 'Upload anyway')
    await says('again', 'Ready to watch')
    expect(await titlesOf()).toEqual(['again', 'again'])
  },
)

longTest(
  'bad files get a sentence and no Retry; the rest goes on, and live events report it',
  async () => {
    const [letter, empty, notes] = ['letter.mp4', 'empty.mp4', 'notes.txt'].map((name) =>
      join(server.dataFolder, name),
    ) as [string, string, string]
    await writeFile(letter, 'Dear all, this is not a video.')
    await writeFile(empty, '')
    await writeFile(notes, 'Nor is this.')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    // Has to be encoded before it plays.
    const good = join(server.dataFolder, 'good.avi')
    await makeClip({ path: good, seconds: 1, container: 'avi', videoCodec: 'mpeg4' })
    await choose(letter, empty, notes, good)
    await says(
      'letter',
      '“letter.mp4” is a text file. Choose a video: MP4, MOV, 3GP, MKV, WebM, AVI, FLV, TS, M2TS, MPG, VOB, WMV or OGV.',
    )
    await says('empty', '“empty.mp4” is empty. Choose another file.')
    await says('notes', '“notes.txt” is a text file.')
    await says('good', 'Ready to watch')
    expect(await tray().getByRole('button', { name: /Retry/ }).count()).toBe(0)
    expect(asked.filter((url) => url.includes('video.listWork'))).toEqual([])
  },
)

longTest('what failed is tried again by Retry once its cause is gone', async () => {
  const setQuota = (quotaBytes: number | null) =>
    writeRows(server, (db) =>
      db.updateTable('users').set({ quotaBytes }).where('id', '=', memberId).execute(),
    )
  await setQuota(1024)
  await choose(await makeFile('large.mp4'))
  await says('large', 'This file would take you over your storage quota of 1KB.')
  const retry = page.getByRole('button', { name: 'Retry large' })
  await retry.click()
  await says('large', 'This file would take you over your storage quota of 1KB.')
  await setQuota(null)
  await retry.click()
  await says('large', 'Ready to watch')
  expect(await titlesOf()).toEqual(['large'])
})

longTest('of a folder of 10,000 files the first 100 videos are taken', async () => {
  const many = join(server.dataFolder, 'many')
  await mkdir(join(many, 'deep'), { recursive: true })
  // No videos by their bytes: nothing of them is sent.
  for (let n = 0; n < 102; n++) await writeFile(join(many, 'deep', `clip-${n}.mp4`), `letter ${n}`)
  for (let n = 0; n < 9898; n++) await writeFile(join(many, `note-${n}.txt`), '')
  await drop(many)
  await tray()
    .getByText(
      'The first 100 of 102 videos were taken: the queue holds 100. Add the rest when these are uploaded. 9,898 files that are no videos were left out.',
    )
    .waitFor()
  expect(await tray().getByRole('listitem').count()).toBe(100)
})

longTest(
  'a vanished file, a full quota and an ended session lose nothing else in the queue',
  async () => {
    await slowDown(SLOW)
    const gone = await makeFile('gone.mp4', 2 * UPLOAD_CHUNK_BYTES + 1000)
    const stays = await makeFile('stays.mp4', 500_000)
    await choose(gone, stays)
    await says('gone', /\d+%/)
    await rm(gone)
    await slowDown(-1)
    await says('gone', 'The file was changed, moved or deleted. Choose it again.')
    await says('stays', 'Ready to watch')

    await writeRows(server, (db) =>
      changeRows(db, 'users', { where: { id: memberId }, values: { quotaBytes: 6 * 1024 * 1024 } }),
    )
    await choose(await makeFile('large.mp4', 6_000_000))
    await says('large', 'This file would take you over your storage quota of 6MB.')

    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await choose(await makeFile('late.mp4'))
    await tray().getByRole('alert').getByText('Your session has ended.').waitFor()
    await page.context().addCookies(cookies)
    await tray().getByRole('button', { name: 'Try again' }).click()
    await says('late', 'Ready to watch')
    await says('stays', 'Ready to watch')
  },
)

longTest('the upload of the form goes on in the tray when its page is left', async () => {
  await slowDown(SLOW)
  await page.goto('/upload')
  await page
    .getByLabel('Video file', { exact: true })
    .setInputFiles(await makeFile('form.mp4', 1e6))
  await page.getByLabel('Title').fill('From the form')
  await page.getByRole('button', { name: 'Upload Video' }).click()
  await page.getByRole('button', { name: 'Cancel Upload' }).waitFor()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await says('From the form', /\d+%/)
  await slowDown(-1)
  await says('From the form', 'Ready to watch')
  expect(await titlesOf()).toEqual(['From the form'])
})

test('a tall thumbnail is shown whole in the form, as on the card', async () => {
  await page.goto('/upload')
  await page.getByLabel('Video file', { exact: true }).setInputFiles(await makeFile('tall.mp4'))
  await page.getByLabel('Thumbnail', { exact: true }).setInputFiles({
    name: 'own.png',
    mimeType: 'image/png',
    buffer: makePng(36, 64),
  })
  const pictures = page.getByRole('img', { name: 'Your thumbnail' }).locator('img')
  const fits = () =>
    pictures.evaluateAll((all) => all.map((image) => getComputedStyle(image).objectFit))
  // Its own blurred copy is behind it.
  await expect.poll(fits).toEqual(['cover', 'contain'])
})

longTest(
  'the form’s thumbnail outlives a failure in the tray, and a refused one stops nothing',
  async () => {
    const submit = async (name: string) => {
      await page.goto('/upload')
      await page.getByLabel('Video file', { exact: true }).setInputFiles(await makeFile(name))
      await page.getByLabel('Thumbnail', { exact: true }).setInputFiles({
        name: 'own.png',
        mimeType: 'image/png',
        buffer: makePng(64, 36),
      })
      await page.getByRole('button', { name: 'Upload Video' }).click()
    }
    const refuse = (status: number) => ({ status, body: '{}', contentType: 'application/json' })
    let leave = () => {}
    const isLeft = new Promise<void>((resolve) => {
      leave = resolve
    })
    await page.route('**/uploads/chunk', (route) => isLeft.then(() => route.fulfill(refuse(413))), {
      times: 1,
    })
    await submit('left.mp4')
    await page.getByText('Uploading chunk 1 of 1').first().waitFor()
    await page.getByRole('link', { name: 'Home' }).first().click()
    leave()
    await tray().getByRole('button', { name: 'Retry left' }).click()
    await says('left', 'Ready to watch')
    await page.route('**/uploads/thumbnail', (route) => route.fulfill(refuse(415)))
    await submit('refused.mp4')
    await page.getByText('Upload Successful').waitFor()
    expect(await videosOf()).toMatchObject([
      { title: 'left', thumbnailUrl: expect.stringContaining('/thumbnail-') },
      { title: 'refused', thumbnailUrl: expect.not.stringContaining('/thumbnail-') },
    ])
  },
)

longTest(
  'the form offers what a file’s name says, and reports a duplicate without forbidding it',
  async () => {
    const path = await makeFile('Rust 2025.05.01 - 22.48.17.03.mp4')
    await choose(path)
    await says('Rust', 'Ready to watch')
    await page.goto('/upload')
    const title = page.getByLabel('Title')
    const pick = page.getByLabel('Video file', { exact: true })
    await pick.setInputFiles(path)
    expect(await title.inputValue()).toBe('Rust 2025.05.01 - 22.48.17.03')
    await page.getByText('You uploaded this already, as “Rust 2025.05.01 - 22.48.17.03”.').waitFor()
    await pick.setInputFiles(await makeFile('other.mp4'))
    await page.getByText('You uploaded this already').waitFor({ state: 'detached' })
    expect(await title.inputValue()).toBe('other')
    // A phone's name says nothing, but the file does.
    const metadata = {
      title: 'Minecraft',
      creation_time: new Date(2025, 4, 1, 22, 48).toISOString(),
    }
    const phone = join(server.dataFolder, 'IMG_0001.mp4')
    await pick.setInputFiles(await makeClip({ path: phone, seconds: 1, metadata }))
    await page.getByRole('button', { name: 'Use “Minecraft, 1 May 2025, 22:48”' }).waitFor()
    expect(await title.inputValue()).toBe('IMG_0001')
    await pick.setInputFiles(path)
    await page.getByText('You uploaded this already').waitFor()
    await page.getByRole('button', { name: 'Use “Rust, 1 May 2025, 22:48”' }).press('Enter')
    expect(await title.inputValue()).toBe('Rust, 1 May 2025, 22:48')
    expect(await title.evaluate((field) => field === document.activeElement)).toBe(true)
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Category' }).inputValue())
      .toBe('Rust')
    await page.getByRole('button', { name: 'Upload Video' }).click()
    await page.waitForURL('/video/*')
    expect(await titlesOf()).toEqual(['Rust 2025.05.01 - 22.48.17.03', 'Rust, 1 May 2025, 22:48'])
  },
)

longTest(
  'a session that ends keeps the tray, whose Sign in leads on with the same files',
  async () => {
    await slowDown(SLOW)
    await choose(await makeFile('begun.mp4', 500_000))
    await says('begun', /\d+%/)
    await page.context().clearCookies()
    await choose(await makeFile('late.mp4'))
    await tray().getByRole('alert').getByText('Your session has ended.').waitFor()
    await slowDown(-1)
    await page.getByRole('link', { name: 'Sign In' }).first().waitFor()
    await tray().getByRole('link', { name: 'Sign in' }).click()
    await logIn(`member${memberNumber}`)
    await says('begun', 'Ready to watch')
    await says('late', 'Ready to watch')
    expect(await titlesOf()).toEqual(['begun', 'late'])
  },
)

longTest(
  'logging out while files travel is asked about; the next member sends and sees nothing of them',
  async () => {
    const other = `${memberNumber}x`
    const context = await server.browser.newContext({ baseURL: server.origin })
    const otherId = await register(await context.newPage(), `member${other}`)
    await context.close()
    await page.evaluate(() => {
      sessionStorage.setItem('clutch-queue', '{"entries":[{"id":1,"title":"Private"}]}')
      localStorage.setItem('clutch-queue-places', '{"liked":{"videoId":1,"index":0}}')
    })
    await slowDown(SLOW / 4)
    await choose(await makeFile('old.mp4', 1_000_000))
    await says('old', /\d+%/)
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByText('1 upload stops.').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await tray().waitFor({ state: 'detached' })
    await slowDown(-1)
    const kept = () =>
      page.evaluate(() =>
        [...Object.keys(sessionStorage), ...Object.keys(localStorage)].filter((key) =>
          key.startsWith('clutch-queue'),
        ),
      )
    expect(await kept()).toEqual([])
    if (!page.url().includes('/auth'))
      await page.getByRole('link', { name: 'Sign In' }).first().click()
    await logIn(`member${other}`)
    await choose(await makeFile('mine.mp4'))
    await says('mine', 'Ready to watch')
    expect(await row('old').count()).toBe(0)
    const sentBy = (userId: number) =>
      writeRows(server, (db) =>
        db.selectFrom('uploads').select('title').where('userId', '=', userId).execute(),
      )
    expect(await sentBy(otherId)).toEqual([{ title: 'mine' }])
    expect((await videosOf(otherId)).map(({ title }) => title)).toEqual(['mine'])
  },
)

longTest('logging out stops the upload of the form, which then asks for its file', async () => {
  await slowDown(SLOW / 4)
  await page.goto('/upload')
  await page
    .getByLabel('Video file', { exact: true })
    .setInputFiles(await makeFile('stopped.mp4', 1_000_000))
  await page.getByLabel('Title').fill('Stopped')
  await page.getByRole('button', { name: 'Upload Video' }).click()
  await page.getByText('Uploading chunk 1 of 1').first().waitFor()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByText('1 upload stops.').waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByText('Logged out').first().waitFor()
  await slowDown(-1)
  if (!page.url().includes('/auth'))
    await page.getByRole('link', { name: 'Sign In' }).first().click()
  await logIn(`member${memberNumber}`)
  await says('Stopped', 'stopped.mp4 is 0% uploaded: choose it again')
  expect(await tray().getByRole('listitem').count()).toBe(1)
})

longTest(
  'details that could not be saved are saved later, and a picture that is none is reported',
  async () => {
    await slowDown(SLOW / 4)
    await choose(await makeFile('kept.mp4', 1_000_000))
    await says('kept', /\d+%/)
    let isCut = true
    await page.route('**/trpc/*upload.saveDetails*', (route) =>
      isCut ? route.abort() : route.continue(),
    )
    await openMenu('kept', 'Edit details')
    const dialog = page.getByRole('dialog', { name: 'Edit details' })
    await dialog.getByLabel('Title').fill('Kept in mind')
    await dialog.getByLabel('Thumbnail', { exact: true }).setInputFiles({
      name: 'letter.png',
      mimeType: 'image/png',
      buffer: Buffer.from('Dear all'),
    })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await says('Kept in mind', 'Details not saved yet. Trying again')
    await says('Kept in mind', /^The thumbnail was not taken: /)
    isCut = false
    await row('Kept in mind').getByText('Details not saved yet').waitFor({ state: 'detached' })
    await slowDown(-1)
    await says('Kept in mind', 'Ready to watch')
    expect(await titlesOf()).toEqual(['Kept in mind'])
  },
)

longTest('two tabs do not upload the same file twice', async () => {
  await slowDown(SLOW / 4)
  const path = await makeFile('shared.mp4', 1_500_000)
  await choose(path)
  await says('shared', /\d+%/)
  const first = page
  page = await first.context().newPage()
  cdp = await page.context().newCDPSession(page)
  await openHome()
  await choose(path)
  await says('shared', 'This file is uploading in another tab.')
})

longTest(
  'the tray has no finding of axe, on a desktop and as a sheet on a phone, in both schemes',
  async () => {
    await slowDown(SLOW / 4)
    await choose(
      await makeFile('Rust 2025.05.01 - 22.48.17.03.mp4', 2_000_000),
      await makeFile('two.mp4', 2_000_000),
      join(server.dataFolder, 'letter.mp4'),
    )
    await says('two', /\d+%/)
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size)
      for (const scheme of ['dark', 'light']) {
        await page.evaluate(async (chosen) => {
          document.documentElement.dataset.mantineColorScheme = chosen
          await new Promise(requestAnimationFrame)
          await Promise.allSettled(document.getAnimations().map((one) => one.finished))
        }, scheme)
        expect(await auditPage(page, { within: 'section[aria-label="Uploads"]' })).toEqual([])
      }
    }
    const box = await tray().boundingBox()
    // All but the strip of the scroll bar.
    expect(box?.width).toBeGreaterThanOrEqual(PHONE.width - 16)
    const fold = tray().getByRole('button', { name: 'Hide uploads' })
    await fold.focus()
    await page.keyboard.press('Enter')
    await tray().getByRole('button', { name: 'Show uploads' }).waitFor()
    expect((await tray().boundingBox())?.height).toBeLessThan(70)
  },
)
