import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { COMMENTS_PER_PAGE } from '#shared/limits.ts'
import type { Reactions } from '#shared/schemas/reaction.schemas.ts'
import { DESKTOP, PHONE, type SavedState } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const SECONDS = 40

const server = setUpHostedSite({ env: { RENDITIONS: '240' } })
const folder = setUpFolder('reactions')
let owner: SavedState
let mia: SavedState
let videoId: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const path = join(folder, 'match.mp4')
  const clip = await makeClip({ path, width: 480, height: 270, seconds: SECONDS })
  videoId = await uploadClip(page, clip, { title: 'Ace on the last round' })
  owner = await page.context().storageState()
  await page.context().close()
  const other = await server.open()
  await register(other.page, 'mia')
  mia = await other.page.context().storageState()
  await other.page.context().close()
})

type Opening = { state?: SavedState; isPhone?: boolean; viewport?: typeof PHONE }

async function openVideo({ state, isPhone = false, viewport }: Opening = {}) {
  const { page, problems } = await server.open({
    ...(state && { state }),
    isPhone,
    viewport: viewport ?? (isPhone ? PHONE : DESKTOP),
  })
  await page.goto(`/video/${videoId}`)
  const player = page.getByRole('group', { name: 'Video player' })
  await player.locator('video').evaluate((video: HTMLVideoElement) => video.play())
  return { page, player, problems }
}

const bar = (page: Page) => page.getByRole('group', { name: 'React' })
/** Finds the signs that float over the picture. */
const floats = (player: Locator) => player.locator('[class*=floats] > span')

async function keepPicture(page: Page, name: string): Promise<void> {
  if (!process.env.KEEP_PICTURES) return
  const pictures = join('test', 'artifacts', 'screens')
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `reactions-${name}.png`) })
}

const reactionsOf = async (page: Page) =>
  (await (await page.request.get(`/api/videos/${videoId}/reactions`)).json()) as Reactions
const seek = (player: Locator, seconds: number) =>
  player.locator('video').evaluate((video: HTMLVideoElement, to) => {
    video.currentTime = to
  }, seconds)
const sumOf = (text = '') => [...text].reduce((sum, digit) => sum + Number(digit), 0)

test('a reaction by button or key floats at once, and later viewers see it and its mark', async () => {
  const { page, player, problems } = await openVideo({ state: mia })
  await bar(page).waitFor()
  await keepPicture(page, 'desktop')
  expect(await auditPage(page)).toEqual([])
  await seek(player, 20)
  await player.hover()
  await bar(page).getByRole('button', { name: 'Fire' }).click()
  await floats(player).first().waitFor()
  await page.getByText(/^Fire at 0:2\d$/).waitFor({ state: 'attached' })
  await seek(player, 26)
  await page.keyboard.press('Alt+6')
  await keepPicture(page, 'controls')
  await page.getByText(/^GG at 0:2\d$/).waitFor({ state: 'attached' })
  await until(async () => sumOf((await reactionsOf(page)).counts.gg) === 1)
  const { counts } = await reactionsOf(page)
  expect(sumOf(counts.fire)).toBe(1)

  // The shortcuts do nothing while a text field has the focus, or behind a dialog.
  await page.getByPlaceholder('Add a comment').click()
  await page.keyboard.press('Alt+2')
  await page.getByRole('heading', { name: 'Ace on the last round' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').getByRole('button').first().focus()
  await page.keyboard.press('Alt+2')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // In another second, because a reaction replaces that of the same second.
  await seek(player, 35)
  await page.keyboard.press('Alt+3')
  await until(async () => sumOf((await reactionsOf(page)).counts.wow) === 1)
  expect((await reactionsOf(page)).counts.laugh).toBeUndefined()
  expect(problems).toEqual([])

  const visitor = await openVideo()
  await visitor.player.getByRole('slider', { name: 'Seek' }).hover()
  await visitor.player.locator('[class*=marks] > span').first().waitFor()
  await keepPicture(visitor.page, 'marks')
  expect(await bar(visitor.page).count()).toBe(0)
  await seek(visitor.player, 18)
  await floats(visitor.player).first().waitFor()
  await keepPicture(visitor.page, 'later')
})

longTest(
  'an open page receives likes and reactions at once, and new comments after a click',
  async () => {
    const { page, player, problems } = await openVideo({ state: owner })
    await page.getByRole('heading', { name: 'Comments' }).scrollIntoViewIfNeeded()
    const { page: miaPage } = await openVideo({ state: mia })
    await page.getByText('watching now').waitFor()
    await keepPicture(page, 'watching')
    await page.request.post('/api/comments', { data: { videoId, content: 'Welcome' } })
    await page.reload()
    const first = page.getByRole('listitem').filter({ hasText: 'Welcome' })
    await first.scrollIntoViewIfNeeded()
    await page.getByText('watching now').waitFor()
    // Measures from the heading, because the content above it may change while the video is prepared.
    const placeOfFirst = () =>
      first.evaluate((item) => {
        const heading = item.closest('section')?.querySelector('h2')
        const { x, y, width, height } = item.getBoundingClientRect()
        return { x, y: y - (heading?.getBoundingClientRect().y ?? 0), width, height }
      })
    const placeBefore = await placeOfFirst()
    const { id } = (await (
      await miaPage.request.post('/api/comments', { data: { videoId, content: 'What an ace' } })
    ).json()) as { id: number }
    await miaPage.request.post('/api/comments', {
      data: { videoId, content: 'Again', parentId: id },
    })
    const line = page.getByRole('button', { name: '2 new comments' })
    await line.waitFor()
    expect(await page.getByText('What an ace').count()).toBe(0)
    expect(await placeOfFirst()).toEqual(placeBefore)
    await keepPicture(page, 'new-comments')
    expect(await auditPage(page)).toEqual([])
    await line.click()
    await page.getByText('What an ace').waitFor()
    await line.waitFor({ state: 'detached' })

    await miaPage.request.post('/api/likes', { data: { videoId, isLike: true } })
    await page.getByRole('button', { name: /^Like/ }).getByText('1', { exact: true }).waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    await bar(miaPage).getByRole('button', { name: 'Heart' }).click()
    await floats(player).first().waitFor()
    await keepPicture(page, 'live')
    // The viewer's own comment does not count as a new comment.
    await page.request.post('/api/comments', { data: { videoId, content: 'Thank you' } })
    await page.getByRole('heading', { name: 'Comments' }).getByText('4').waitFor()
    expect(await page.getByRole('button', { name: /new comment/ }).count()).toBe(0)
    expect(problems).toEqual([])
    const clip = { videoId, title: 'The ace', startSeconds: 1, endSeconds: 6 }
    const made = await page.request.post('/api/clips', { data: clip })
    const { id: clipId } = (await made.json()) as { id: number }
    const onClip = await server.open({ state: mia })
    await onClip.page.goto(`/clip/${clipId}`)
    await onClip.page.getByText('watching now').waitFor()
    await onClip.page.context().close()
    const home = await server.open({ state: mia })
    await home.page.goto('/?category=Other')
    await home.page.getByText('2 watching').waitFor()
    await keepPicture(home.page, 'card')
    await home.page.goto('/')
    const tonight = home.page.getByRole('region', { name: /^Tonight/ })
    await tonight.getByText('2 watching').waitFor()
    // A single new clip is a line and no shelf.
    const clips = home.page.getByRole('region', { name: 'New clips' })
    await clips.scrollIntoViewIfNeeded()
    expect(await clips.getByRole('list').count()).toBe(0)
    await clips.getByRole('link', { name: 'The ace' }).first().waitFor()
  },
)

longTest(
  'a reply to an older comment is announced and opens its thread, and disappears once deleted',
  async () => {
    const { page } = await openVideo({ state: mia })
    const say = async (content: string, parentId?: number) => {
      const response = await page.request.post('/api/comments', {
        data: { videoId, content, parentId },
      })
      return ((await response.json()) as { id: number }).id
    }
    const first = await say('The very first')
    for (let index = 0; index < COMMENTS_PER_PAGE; index += 1) await say(`Later ${index}`)

    const other = await openVideo({ state: owner })
    await other.page.getByRole('heading', { name: 'Comments' }).scrollIntoViewIfNeeded()
    await other.page.getByText('Later 3', { exact: true }).waitFor()
    await other.page.getByText('watching now').waitFor()
    expect(await other.page.getByText('The very first').count()).toBe(0)
    const reply = await say('Well said', first)
    await other.page.getByRole('button', { name: '1 new comment' }).click()
    await other.page.getByText('The very first').waitFor()
    await other.page.getByText('Well said').waitFor()

    // A comment that is deleted disappears at once.
    const last = await say('Soon gone')
    await other.page.getByRole('button', { name: '1 new comment' }).click()
    await other.page.getByText('Soon gone').waitFor()
    await page.request.post('/trpc/comment.delete', { data: { id: last } })
    await other.page.getByText('Soon gone').waitFor({ state: 'detached' })

    const gone = await page.request.post('/trpc/comment.delete', { data: { id: reply } })
    expect(gone.ok()).toBe(true)
    await say('And on')
    await other.page.getByRole('button', { name: '1 new comment' }).click()
    await other.page.getByText('And on').waitFor()
    await other.page.getByText('Well said').waitFor({ state: 'detached' })
  },
)

longTest(
  'among the best comments only those are new that came since the page was opened',
  async () => {
    const { page } = await openVideo({ state: mia })
    const say = (content: string) =>
      page.request.post('/api/comments', { data: { videoId, content } })
    const { page: other } = await openVideo({ state: owner })
    await other.getByRole('heading', { name: 'Comments' }).scrollIntoViewIfNeeded()
    await other.getByRole('button', { name: 'Best', exact: true }).click()
    await other.reload()
    await other.getByText('watching now').waitFor()
    await other.getByRole('heading', { name: 'Comments' }).scrollIntoViewIfNeeded()
    await other.getByRole('listitem').first().waitFor()
    await say('One more')
    await other.getByRole('button', { name: '1 new comment' }).click()
    await other.getByText('One more').waitFor()
  },
)

longTest('comments that came while the tab was hidden are announced like others', async () => {
  const { page } = await server.open({ state: owner })
  await page.clock.install()
  await page.goto(`/video/${videoId}`)
  await page.getByRole('heading', { name: 'Comments' }).scrollIntoViewIfNeeded()
  await page.getByRole('listitem').first().waitFor()
  const company = await openVideo({ state: mia })
  await page.getByText('watching now').waitFor()
  const turn = (state: DocumentVisibilityState) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  await turn('hidden')
  await company.page.getByText('watching now').waitFor({ state: 'detached' })
  const data = { videoId, content: 'While you were away' }
  await company.page.request.post('/api/comments', { data })
  await page.clock.fastForward('10:00')
  await turn('visible')
  const line = page.getByRole('button', { name: '1 new comment' })
  await line.waitFor()
  expect(await page.getByText('While you were away').count()).toBe(0)
  await line.click()
  await page.getByText('While you were away').waitFor()
})

longTest('a follower sees the face of a watching member after both have allowed it', async () => {
  const { page } = await server.open({ state: owner })
  await page.goto('/settings#privacy')
  const allow = page.getByRole('switch', { name: 'Show subscribers what I watch' })
  expect(await allow.isChecked()).toBe(false)
  await allow.click({ force: true })
  await page.getByText('Subscribers who also allow it can see').waitFor()
  await keepPicture(page, 'privacy')
  expect(await auditPage(page)).toEqual([])
  const user = (await (await page.request.get('/api/user')).json()) as { id: number }
  const fan = await server.open({ state: mia })
  await fan.page.request.post('/api/subscriptions', { data: { channelId: user.id } })
  await fan.page.request.post('/trpc/settings.editProfile', { data: { showsPresence: true } })
  const watching = await openVideo({ state: owner })
  await fan.page.goto(`/video/${videoId}`)
  await fan.page.getByRole('img', { name: 'With The nova' }).waitFor()
  await keepPicture(fan.page, 'faces')
  // The owner follows nobody and therefore sees no faces.
  await watching.page.getByText('watching now').waitFor()
  expect(await watching.page.getByRole('img', { name: /^With/ }).count()).toBe(0)
})

longTest(
  'viewers can turn reactions off in the player, and none float with reduced motion',
  async () => {
    const { page, player } = await openVideo({ state: mia })
    await bar(page).waitFor()
    await player.hover()
    await player.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Reactions' }).click()
    await bar(page).waitFor({ state: 'detached' })
    await page.reload()
    await player.getByRole('button', { name: 'Settings' }).waitFor()
    expect(await bar(page).count()).toBe(0)

    const calm = await server.open({ state: owner })
    await calm.page.emulateMedia({ reducedMotion: 'reduce' })
    await calm.page.goto(`/video/${videoId}`)
    await bar(calm.page).waitFor()
    const calmPlayer = calm.page.getByRole('group', { name: 'Video player' })
    await calmPlayer.hover()
    await calm.page.keyboard.press('Alt+4')
    await calm.page.getByText(/^Heart at/).waitFor({ state: 'attached' })
    await bar(calm.page).locator('[data-pressed][aria-label="Heart"]').waitFor()
    await keepPicture(calm.page, 'calm')
    expect(await floats(calmPlayer).count()).toBe(0)
    await bar(calm.page).locator('[data-pressed]').waitFor({ state: 'detached' })
    await calm.page.emulateMedia({ reducedMotion: null })
  },
)

longTest('on a phone six buttons, each at least 44 px large, add reactions', async () => {
  const { page, player, problems } = await openVideo({ state: owner, isPhone: true })
  const buttons = bar(page).getByRole('button').filter({ visible: true })
  await buttons.first().waitFor()
  expect(await buttons.count()).toBe(6)
  for (const button of await buttons.all()) {
    const box = await button.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
  await buttons.nth(4).tap()
  await floats(player).first().waitFor()
  await page.getByText(/^Dead at 0:\d\d$/).waitFor({ state: 'attached' })
  await keepPicture(page, 'phone')
  const company = await openVideo({ state: mia })
  await page.getByText('watching now').waitFor({ state: 'attached' })
  await keepPicture(page, 'phone-watching')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'light'))
  await keepPicture(page, 'phone-light')
  await page.emulateMedia({ colorScheme: null })
  await company.page.close()
  await until(async () => sumOf((await reactionsOf(page)).counts.skull) === 1)
  expect(await auditPage(page)).toEqual([])
  expect(problems).toEqual([])
})

longTest(
  'a page has one stream, also while and after its comments are open in a sheet',
  async () => {
    const { page, problems } = await server.open({ state: owner, isPhone: true, viewport: PHONE })
    const streams: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/trpc/live.onVideo')) streams.push(request.url())
    })
    await page.goto(`/video/${videoId}`)
    const company = await openVideo({ state: mia })
    const words = page.getByText('watching now')
    await words.waitFor({ state: 'attached' })
    const button = page.getByRole('button', { name: /^Open comments/ })
    const sheet = page.getByRole('dialog', { name: 'Comments' })
    await button.click()
    await sheet.getByRole('heading', { name: 'Comments' }).waitFor()
    await company.page.request.post('/api/comments', { data: { videoId, content: 'In the sheet' } })
    await sheet.getByRole('button', { name: '1 new comment' }).click()
    await sheet.getByText('In the sheet').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(await words.count()).toBe(1)
    expect(streams).toHaveLength(1)
    expect(problems).toEqual([])
  },
)

longTest('cards show how many people watch after a visit to a page that has no cards', async () => {
  await openVideo({ state: owner })
  const { page } = await server.open({ state: mia })
  await page.clock.install()
  await page.goto('/?category=Other')
  const card = page.getByRole('link', { name: 'Ace on the last round' }).first()
  await card.waitFor()
  const answer = page.waitForResponse((response) => response.url().includes('watching.counts'))
  await page.clock.runFor(5000)
  await (await answer).finished()
  await page.getByRole('link', { name: 'Squads' }).click()
  await page.clock.runFor(1000)
  await card.waitFor({ state: 'detached' })
  await page.clock.runFor(70_000)
  await openVideo({ state: mia })
  await page.goBack()
  await page.clock.runFor(1000)
  await card.waitFor()
  await until(async () => {
    await page.clock.runFor(1000)
    return (await page.getByText('2 watching').count()) > 0
  })
})

longTest(
  'the page of a clip has the reactions of its part of the video, and receives its likes',
  async () => {
    const { page, problems } = await server.open({ state: owner })
    const clip = { videoId, title: 'The end', startSeconds: 30, endSeconds: 36 }
    const made = await page.request.post('/api/clips', { data: clip })
    const { id } = (await made.json()) as { id: number }
    await page.goto(`/clip/${id}`)
    const player = page.getByRole('group', { name: 'Video player' })
    await player.locator('video').evaluate((video: HTMLVideoElement) => video.play())
    await bar(page).waitFor()
    const company = await server.open({ state: mia })
    await company.page.goto(`/clip/${id}`)
    await page.getByText('watching now').waitFor()
    await player.hover()
    await bar(page).getByRole('button', { name: 'Laugh' }).click()
    await floats(player).first().waitFor()
    await floats(company.page.getByRole('group', { name: 'Video player' }))
      .first()
      .waitFor()
    await until(async () => sumOf((await reactionsOf(page)).counts.laugh) === 1)
    const second = (await reactionsOf(page)).counts.laugh?.indexOf('1')
    expect(second).toBeGreaterThanOrEqual(30)
    expect(second).toBeLessThanOrEqual(36)
    await page.getByText(/^Laugh at 0:0\d$/).waitFor({ state: 'attached' })
    await keepPicture(page, 'clip')
    await company.page.getByRole('button', { name: 'Like, 0' }).click()
    await page.getByRole('button', { name: 'Like, 1' }).waitFor()
    expect(await auditPage(page)).toEqual([])
    expect(problems).toEqual([])
  },
)

longTest('a member takes reactions back in the settings of the player', async () => {
  const { page, player } = await openVideo({ state: mia })
  await bar(page).waitFor()
  await page.request.post('/trpc/reaction.takeBack', { data: { id: videoId } })
  const item = page.getByRole('menuitem', { name: 'Take my reactions back' })
  const openSettings = async () => {
    await player.hover()
    await player.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Reactions' }).waitFor()
  }
  await openSettings()
  expect(await item.count()).toBe(0)
  await page.keyboard.press('Escape')
  const before = sumOf((await reactionsOf(page)).counts.gg)
  await seek(player, 33)
  await page.keyboard.press('Alt+6')
  await until(async () => sumOf((await reactionsOf(page)).counts.gg) === before + 1)
  await openSettings()
  // The menu lies over the buttons of the reactions.
  await page.getByRole('menuitem', { name: /^Keyboard shortcuts/ }).hover()
  await keepPicture(page, 'take-back')
  await item.click()
  await page.getByText('Your reactions are gone').waitFor()
  await until(async () => sumOf((await reactionsOf(page)).counts.gg) === before)
})

longTest(
  'on narrow windows the facts of a video keep their height when somebody else comes',
  async () => {
    const { page } = await openVideo({ state: owner, isPhone: true })
    const facts = page.getByRole('region', { name: 'Description' })
    const words = page.getByText('watching now')
    const heights = async () => {
      const found: number[] = []
      for (let width = 320; width <= 600; width += 12) {
        await page.setViewportSize({ width, height: 844 })
        found.push((await facts.boundingBox())?.height ?? 0)
      }
      return found
    }
    const company = await openVideo({ state: mia })
    await words.waitFor({ state: 'attached' })
    const together = await heights()
    await company.page.close()
    await words.waitFor({ state: 'detached' })
    expect(await heights()).toEqual(together)
  },
)

longTest(
  'the player has no reaction buttons for a video whose owner turned reactions off',
  async () => {
    const { page } = await openVideo({ state: owner })
    await page.request.patch(`/api/videos/${videoId}`, { data: { allowsReactions: false } })
    await page.reload()
    await page.getByRole('button', { name: 'Settings' }).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await bar(page).count()).toBe(0)
    await page.request.patch(`/api/videos/${videoId}`, { data: { allowsReactions: true } })
  },
)
