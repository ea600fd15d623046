import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, keepPicture } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { uploadFrom } from '#test/support/page-upload.ts'
import { makePng } from '#test/support/png.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '180' } })
let clip: string

beforeAll(async () => {
  clip = await makeClip({ path: join(server.dataFolder, 'clip.mp4'), seconds: 4 })
})

/** A new member with one video, which is fully prepared, in the edit dialog. */
async function openEdit(username: string, part = 'Details') {
  const opened = await server.open()
  const { page } = opened
  await register(page, username)
  await page.goto('/studio')
  const id = await uploadFrom(page, { path: clip, title: 'Ace' })
  await until(() =>
    writeRows(server, async (db) => {
      const jobs = await db.selectFrom('jobs').select('state').where('videoId', '=', id).execute()
      return jobs.every(({ state }) => state === 'done')
    }),
  )
  await page.reload()
  const dialog = await edit(page, part)
  return { ...opened, id, dialog }
}

async function edit(page: Page, part: string) {
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Video' })
  await dialog.getByRole('tab', { name: part }).click()
  return dialog
}

/** Over and over, so that what is said stays. */
const play = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.muted = true
    video.loop = true
    return video.play()
  })

const thumbnailOf = (id: number) =>
  writeRows(server, async (db) => {
    const query = db.selectFrom('videos').select('thumbnailUrl').where('id', '=', id)
    return (await query.executeTakeFirstOrThrow()).thumbnailUrl
  })

longTest('a frame of the video becomes its picture, by keys alone', async () => {
  const { page, problems, id, dialog } = await openEdit('framer')
  const before = await thumbnailOf(id)
  const frames = dialog.getByRole('radiogroup', { name: 'Frames' })
  await frames.getByRole('radio').first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  const second = frames.getByRole('radio').nth(1)
  expect(await second.isChecked()).toBe(true)
  await dialog.getByLabel('The chosen frame').waitFor()
  expect(await auditPage(page)).toEqual([])

  await dialog.getByRole('slider').press('End')
  await dialog.getByText('Frame at 0:04.0').waitFor()
  await page.route(/video\.setPosterFrame/, (route) => route.abort())
  const use = dialog.getByRole('button', { name: 'Use this frame' })
  await use.click()
  await dialog.getByRole('alert').getByText('The server could not be reached').waitFor()
  await page.unroute(/video\.setPosterFrame/)
  await use.press('Enter')
  await dialog.getByText('Thumbnail saved.').waitFor()
  const after = await thumbnailOf(id)
  expect(after).not.toBe(before)
  const card = page.getByRole('article', { name: 'Ace', includeHidden: true })
  await expect.poll(() => card.locator('img').getAttribute('src')).toContain(cardOf(after))
  expect(problems.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
})

/** The start of the names of all sizes of a picture. */
const cardOf = (thumbnailUrl: string | null) => thumbnailUrl?.replace(/\.jpg$/, '') ?? 'none'

longTest(
  'an image can be uploaded instead, and what is none is refused beside the field',
  async () => {
    const { id, dialog } = await openEdit('uploader')
    const before = await thumbnailOf(id)
    const input = dialog.getByLabel('Thumbnail image')
    const send = (name: string, mimeType: string, buffer: Buffer) =>
      input.setInputFiles({ name, mimeType, buffer })
    await send('notes.txt', 'text/plain', Buffer.from('x'))
    await dialog.getByText('“notes.txt” is not a PNG or JPG picture.').waitFor()
    await send('fake.png', 'image/png', Buffer.from('x'))
    await dialog.getByText('The thumbnail must be a PNG or JPEG picture.').waitFor()
    expect(await thumbnailOf(id)).toBe(before)
    await send('mine.png', 'image/png', makePng(320, 180))
    await dialog.getByText('Thumbnail saved.').waitFor()
    expect(await thumbnailOf(id)).not.toBe(before)
  },
)

const VTT = `WEBVTT

00:00.000 --> 00:04.000
<v Ann>Behind <b>you</b></v>
`

type Dialog = Awaited<ReturnType<typeof edit>>

const sendCaptions = (dialog: Dialog, text: string) =>
  dialog.getByLabel('Captions file', { exact: true }).setInputFiles({
    name: 'words.vtt',
    mimeType: 'text/vtt',
    buffer: Buffer.from(text),
  })

async function addCaptions(dialog: Dialog, language: 'de' | 'en', text: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Add captions' }).click()
  await sendCaptions(dialog, text)
  await dialog.getByLabel('Language').fill(language)
  await dialog.getByLabel('Language').press('Enter')
  const name = language === 'de' ? 'German' : 'English'
  await dialog.getByRole('list', { name: 'Captions' }).getByRole('link', { name }).waitFor()
}

/** A file of an editor, the language that is typed, the encoding that this proposes and the one it is in. */
const FOREIGN = [
  [
    'pl.srt',
    'pl',
    'Central European (Windows-1250)',
    null,
    'Zażółć gęślą',
    '5a61bff3b3e62067ea9c6cb9',
  ],
  ['ru.vtt', 'ru', 'Cyrillic (Windows-1251)', null, 'Привет', 'cff0e8e2e5f2'],
  ['fr.srt', 'fr', 'Western European (Windows-1252)', null, 'déjà vu', '64e96ae0207675'],
  ['ja.srt', 'ja', 'Japanese (Shift JIS)', null, 'ナイス表示', '836983438358955c8ea6'],
  ['zh.vtt', 'zh', 'Simplified Chinese (GB18030)', null, '不道德公会', 'b2bbb5c0b5c2b9abbbe1'],
  [
    'en.srt',
    'en',
    'Western European (Windows-1252)',
    'Cyrillic (KOI8-R)',
    'Привет',
    'f0d2c9d7c5d4',
  ],
] as const

longTest('captions in a code page are shown as they would read, and sent as chosen', async () => {
  const { page, problems, dialog } = await openEdit('translator', 'Advanced')
  const list = dialog.getByRole('list', { name: 'Captions' })
  const form = dialog.getByRole('group', { name: 'New captions' })
  const preview = form.getByRole('note', { name: 'Preview' })
  const encoding = form.getByRole('combobox', { name: 'Text encoding', exact: true })
  for (const [name, language, proposed, chosen, words, hex] of FOREIGN) {
    await dialog.getByRole('button', { name: 'Add captions' }).click()
    const head = name.endsWith('.vtt') ? 'WEBVTT\n\n' : '1\n'
    const times = '00:00:00.000 --> 00:00:04.000\n'.replaceAll(
      '.',
      name.endsWith('.vtt') ? '.' : ',',
    )
    const said = Buffer.from(hex, 'hex')
    await dialog.getByLabel('Captions file', { exact: true }).setInputFiles({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.concat([Buffer.from(head + times), said, Buffer.from('\n')]),
    })
    await preview.waitFor()
    // The language is asked for after the file.
    await form.getByLabel('Language').fill(language)
    expect(await encoding.inputValue()).toBe(proposed)
    if (chosen) await chooseOption(page, 'Text encoding', chosen)
    await expect.poll(() => preview.textContent()).toBe(words)
    await form.getByLabel('Name (optional)').fill(name)
    await form.getByRole('button', { name: 'Upload captions' }).click()
    const url = await list.getByRole('link', { name }).getAttribute('href')
    expect(await (await page.request.get(url ?? '')).text()).toContain(`\n${words}\n`)
  }
  expect(problems).toEqual([])
})

longTest('captions are added in the studio and seen on the watch page', async () => {
  const { page, problems, id, dialog } = await openEdit('speaker', 'Advanced')
  await dialog.getByText('No captions yet').waitFor()
  await dialog.getByRole('button', { name: 'Add captions' }).click()
  await sendCaptions(dialog, 'WEBVTT\n\n00:03.000 --> 00:01.000\nHi\n')
  await dialog.getByRole('button', { name: 'Upload captions' }).click()
  await dialog.getByText('Line 3 ends at 00:01.000, which is not after its beginning.').waitFor()
  await sendCaptions(dialog, VTT)
  await dialog.getByLabel('Language').fill('de')
  expect(await auditPage(page)).toEqual([])
  await dialog.getByLabel('Language').press('Enter')
  await dialog.getByRole('list', { name: 'Captions' }).getByRole('link').waitFor()
  await addCaptions(dialog, 'en', VTT.replace('you', 'me'))

  await page.goto(`/video/${id}`)
  const player = page.getByRole('group', { name: 'Video player' })
  const button = player.getByRole('button', { name: 'Captions (Shift+C)' })
  await button.waitFor()
  expect(await button.getAttribute('aria-pressed')).toBe('false')
  await play(page)
  await page.keyboard.press('Shift+C')
  await player.getByText('Behind me').waitFor()
  await player.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Captions' }).click()
  await page.getByRole('menuitemradio', { name: 'German' }).click()
  const words = player.getByText('Behind you')
  await words.waitFor()
  expect(await words.locator('b').textContent()).toBe('you')
  const bar = await player.getByRole('slider', { name: /Seek/ }).boundingBox()
  const line = await words.boundingBox()
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  expect(problems.filter((text) => !text.includes('422'))).toEqual([])
})

longTest(
  'the choice of captions is kept for the next visit, also when renditions play',
  async () => {
    const { page, problems, id, dialog } = await openEdit('listener', 'Advanced')
    await addCaptions(dialog, 'de', VTT)
    await page.goto(`/video/${id}`)
    const player = page.getByRole('group', { name: 'Video player' })
    await play(page)
    await page.keyboard.press('Shift+C')
    const words = player.getByText('Behind you')
    await words.waitFor()
    await page.evaluate(() => {
      const memory = JSON.parse(localStorage.getItem('clutch-player') ?? '{}')
      localStorage.setItem('clutch-player', JSON.stringify({ ...memory, quality: 180 }))
    })
    await page.reload()
    await play(page)
    await words.waitFor()
    await page.keyboard.press('Shift+C')
    await words.waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+C')
    await words.waitFor()
    expect(problems).toEqual([])
  },
)

longTest('captions are asked for, renamed, replaced and deleted in the studio', async () => {
  const { page, id, dialog } = await openEdit('editor', 'Advanced')
  await dialog.getByRole('button', { name: 'Add captions' }).click()
  await dialog.getByRole('button', { name: 'Upload captions' }).click()
  await dialog.getByText('Choose a WebVTT or SRT file first.').waitFor()
  await page.goto('/studio')
  const again = await edit(page, 'Advanced')
  await addCaptions(again, 'de', VTT)
  await addCaptions(again, 'en', VTT)
  await again.getByRole('button', { name: 'Delete English' }).click()
  await again.getByRole('button', { name: 'Delete English' }).click()
  await again.getByRole('link', { name: 'English' }).waitFor({ state: 'detached' })

  const rename = again.getByRole('button', { name: 'Rename German' })
  const form = again.getByRole('group', { name: 'Rename German' })
  await rename.click()
  expect(await auditPage(page)).toEqual([])
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await expect.poll(() => rename.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await form.getByLabel('Language').fill('nonsense here')
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('language tag').waitFor()
  await form.getByLabel('Language').fill('de')
  await form.getByLabel('Name').fill('German, by fans')
  await page.keyboard.press('Enter')
  await again.getByRole('link', { name: 'German, by fans' }).waitFor()
  await again.getByLabel('File for German, by fans').setInputFiles({
    name: 'new.srt',
    mimeType: 'application/x-subrip',
    buffer: Buffer.from('1\n00:00:00,000 --> 00:00:04,000\nAnders\n'),
  })
  await again.getByText('Replaced.').waitFor()

  // 'Привет', as an editor on a Russian Windows saves it.
  const words = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
  const srt = [Buffer.from('1\n00:00:00,000 --> 00:00:04,000\n'), words, Buffer.from('\n')]
  await again.getByLabel('File for German, by fans').setInputFiles({
    name: 'old.srt',
    mimeType: 'application/x-subrip',
    buffer: Buffer.concat(srt),
  })
  const preview = again.getByRole('note', { name: 'Preview' })
  await preview.getByText('Ïðèâåò').waitFor()
  await chooseOption(page, 'Text encoding', 'Cyrillic (Windows-1251)')
  await preview.getByText('Привет').waitFor()
  expect(await auditPage(page)).toEqual([])
  await keepPicture(page, 'captions-encoding')
  await again.getByRole('button', { name: 'Replace captions' }).click()
  await preview.waitFor({ state: 'detached' })
  await page.goto(`/video/${id}`)
  const player = page.getByRole('group', { name: 'Video player' })
  await play(page)
  await page.keyboard.press('Shift+C')
  await player.getByText('Привет').waitFor()
})

test('another recording takes the place of the first one, at the same address', async () => {
  const { page, problems, id, dialog } = await openEdit('changer', 'Advanced')
  const longer = await makeClip({ path: join(server.dataFolder, 'longer.mp4'), seconds: 7 })
  await dialog.getByLabel('New recording').setInputFiles(longer)
  await page.getByText('The old one stays until the new one is ready.').waitFor()
  const durationOf = () =>
    writeRows(server, async (db) => {
      const query = db.selectFrom('videos').select('duration').where('id', '=', id)
      return (await query.executeTakeFirstOrThrow()).duration
    })
  await expect.poll(durationOf).toBe(7)
  await page.goto(`/video/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Ace' }).waitFor()
  expect(problems).toEqual([])
})

longTest('a video gets a last day and loses it again, in the studio', async () => {
  const { page, problems, id, dialog } = await openEdit('ender', 'Who can watch')
  const expiryOf = () => writeRows(server, (db) => readRow(db, 'videos', { id }))
  await chooseOption(dialog, 'Expires', 'Is deleted')
  await dialog.getByText('You are notified 7 days before').waitFor()
  expect(await auditPage(page)).toEqual([])
  await dialog.getByLabel('Date').fill('2026-01-02')
  // The part with the error is marked and opened, and its field gets the focus.
  await dialog.getByRole('tab', { name: 'Details' }).click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await dialog.getByText('Choose a day in the future.').waitFor()
  const marked = { name: 'Who can watch (has an error)', selected: true }
  await dialog.getByRole('tab', marked).waitFor()
  expect(await dialog.getByLabel('Date').evaluate((one) => one === document.activeElement)).toBe(
    true,
  )
  expect(await auditPage(page)).toEqual([])
  await dialog.getByLabel('Date').fill('2099-12-03')
  await keepPicture(page, 'expiry edit 1440')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  const note = page.getByText('Deleted on Dec 3, 2099')
  await note.waitFor()
  await keepPicture(page, 'expiry studio 1440')
  const midnight = await page.evaluate(() => new Date('2099-12-03T00:00').toISOString())
  expect(await expiryOf()).toMatchObject({ expiryAction: 'delete', expiresAt: midnight })
  await page.getByRole('button', { name: 'Keep: Ace' }).click()
  await note.waitFor({ state: 'detached' })
  expect(await expiryOf()).toMatchObject({ expiryAction: null, expiresAt: null })
  expect(problems).toEqual([])
})

/** On the page of a video. */
const openDownload = async (page: Page, id: number) => {
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem').first().waitFor()
  return page.getByRole('menuitem', { name: 'Download' })
}

longTest('an owner downloads a video, and nobody else does', async () => {
  const { page, problems, id } = await openEdit('keeper')
  await (await openDownload(page, id)).click()
  const dialog = page.getByRole('dialog', { name: 'Download' })
  await dialog.getByRole('link', { name: /^Best quality · \d+p As it plays here \d+KB$/ }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await keepPicture(page, 'download 1440')
  await page.setViewportSize(PHONE)
  await keepPicture(page, 'download 390')
  const download = page.waitForEvent('download')
  await dialog.getByRole('link', { name: /^Best quality/ }).click()
  expect((await download).suggestedFilename()).toBe('Ace.mp4')
  const guest = (await server.open({ isNew: true })).page
  await register(guest, 'guest')
  expect(await (await openDownload(guest, id)).count()).toBe(0)
  expect(problems).toEqual([])
})

longTest('members download once an admin allows it, unless the owner does not', async () => {
  const { page, problems, id } = await openEdit('lender')
  const guest = (await server.open({ isNew: true })).page
  const admin = (await server.open({ isNew: true })).page
  await register(guest, 'borrower')
  const adminId = await register(admin, 'chief')
  await writeRows(server, (db) =>
    db.updateTable('users').set({ isAdmin: 1 }).where('id', '=', adminId).execute(),
  )
  await admin.goto('/admin/settings')
  await admin.getByLabel('Members may download videos').click()
  await admin.getByRole('button', { name: 'Save settings' }).click()
  await admin.getByText('Settings saved').waitFor()
  await (await openDownload(guest, id)).click()
  await guest.getByRole('dialog', { name: 'Download' }).getByRole('link').first().waitFor()

  await page.goto('/studio')
  const may = (await edit(page, 'Who can watch')).getByLabel('Allow downloads')
  expect(await may.isChecked()).toBe(true)
  await may.click()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await (await openDownload(guest, id)).count()).toBe(0)
  expect(problems).toEqual([])
})
