import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage, keepPicture, showScheme, watchLayout } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

/**
 * Creates a squad through the pages, as its owner.
 * @returns the address of the squad
 */
async function createSquad(page: Page, fields: { name: string; tag: string; joining: string }) {
  await page.goto('/squads')
  await page.getByRole('button', { name: 'New squad' }).click()
  const dialog = page.getByRole('dialog', { name: 'New squad' })
  const create = dialog.getByRole('button', { name: 'Create squad' })
  const box = await create.boundingBox()
  // The form is longer than the window.
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0)
  await dialog.getByRole('textbox', { name: 'Name' }).fill(fields.name)
  await dialog.getByRole('textbox', { name: 'Tag' }).fill(fields.tag)
  await dialog.getByRole('radio', { name: 'Moon' }).check()
  await dialog.getByRole('radio', { name: 'Violet' }).check()
  await dialog.getByRole('radio', { name: fields.joining }).check()
  await keepPicture(page, `squad form ${page.viewportSize()?.width}`)
  expect(await auditPage(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create squad' }).click()
  await page.waitForURL(/\/squad\/\d+$/)
  await page.getByRole('heading', { name: fields.name, level: 1 }).waitFor()
  return new URL(page.url()).pathname
}

test.each<[string, typeof PHONE | undefined]>([
  ['a computer', undefined],
  ...(isLongForm ? ([['a phone', PHONE]] as [string, typeof PHONE][]) : []),
])('on %s members create and join a squad, watch its video and leave it', async (_, viewport) => {
  const size = viewport ? 'phone' : 'desktop'
  const owner = await server.open({ ...(viewport && { viewport }) })
  const ownerId = await register(owner.page, `owl-${size}`)
  const member = await server.open({ ...(viewport && { viewport }) })
  await register(member.page, `mate-${size}`)
  const name = `Night Owls ${size}`
  const tag = size === 'phone' ? 'NOP' : 'NOD'
  const path = await createSquad(owner.page, { name, tag, joining: 'By request' })

  await member.page.goto('/squads')
  await member.page.getByRole('button', { name: `Ask to join ${name}` }).click()
  await member.page.getByRole('button', { name: `Withdraw your request to join ${name}` }).waitFor()
  await keepPicture(member.page, `squads ${size}`)

  await owner.page.goto('/notifications')
  const notice = owner.page.getByRole('listitem').filter({ hasText: `asks to join ${name}` })
  await notice.getByRole('link', { name: 'View' }).click()
  await owner.page.waitForURL(new RegExp(`${path}\\?tab=members#member-\\d+$`))
  await owner.page.getByRole('tab', { name: 'Members · 1 waiting', selected: true }).waitFor()
  const asking = owner.page.locator('li[data-linked]')
  await asking.filter({ hasText: `mate-${size}` }).waitFor()
  expect(await asking.evaluate((row) => row === document.activeElement)).toBe(true)
  expect(await auditPage(owner.page)).toEqual([])
  await keepPicture(owner.page, `squad requests ${size}`)
  await owner.page.getByRole('button', { name: `Accept The mate-${size}` }).click()
  const people = owner.page.getByRole('list', { name: 'Members' })
  await people.getByRole('link', { name: `The mate-${size}` }).waitFor()
  expect(await auditPage(owner.page)).toEqual([])

  await owner.page.getByRole('tab', { name: 'Posts' }).click()
  await owner.page.getByRole('textbox', { name: 'Write a post' }).fill('Tonight at nine')
  await owner.page.getByRole('button', { name: 'Post', exact: true }).click()
  const post = owner.page.getByRole('article').filter({ hasText: 'Tonight at nine' })
  await post.getByRole('link', { name }).waitFor()

  const clipPath = `${server.dataFolder}/squad-${size}.mp4`
  await makeClip({ path: clipPath, seconds: 20 })
  const title = `Ours ${size}`
  const id = await uploadClip(owner.page, clipPath, { title })
  await owner.page.goto('/studio')
  await owner.page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Edit Video' })
  await dialog.getByRole('tab', { name: 'Who can watch' }).click()
  await dialog.getByRole('combobox', { name: 'Visibility' }).click()
  await keepPicture(owner.page, `squad level ${size}`)
  await owner.page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
  await dialog.getByText('Your squad: 2 members').waitFor()
  await owner.page.getByRole('button', { name: 'Save Changes' }).click()
  await owner.page.getByText('Video updated successfully').waitFor()

  const { page } = member
  await page.goto(path)
  await page.getByRole('tabpanel').getByRole('link', { name: title }).first().waitFor()
  await keepPicture(page, `squad ${size}`)
  if (isLongForm) expect(await auditPage(page)).toEqual([])
  await page.getByRole('link', { name: title }).first().click()
  await page.waitForURL(`/video/${id}`)
  await page.getByText(name).first().waitFor()
  await page.locator('video').first().waitFor()
  await keepPicture(page, `squad watch ${size}`)

  await page.goto(`/profile/${ownerId}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .click()
  await page.waitForURL(path)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Leave squad' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('/squads')
  await page.goto(`/video/${id}`)
  await page.getByText('This video could not be found').waitFor()
  expect(owner.problems).toEqual([])
})

longTest('a leader takes the video of another member out of the squad', async () => {
  const owner = await server.open()
  const { page } = owner
  await register(page, 'warden')
  const path = await createSquad(page, { name: 'Wardens', tag: 'WARD', joining: 'Open' })
  const squadId = Number(path.split('/').at(-1))
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Tom')
    const joinedAt = timestamp()
    await addRows(db, 'squadMembers', { squadId, userId, role: 'member', joinedAt })
    await addVideos(db, [{ userId, title: 'Off topic', visibility: 'private', squadId }])
  })
  await page.goto(path)
  const card = page.getByRole('link', { name: 'Off topic' })
  await card.waitFor()
  await page.getByRole('button', { name: 'Actions for Off topic' }).click()
  await page.getByRole('menuitem', { name: 'Take out of the squad' }).click()
  await page.getByText('Taken out of the squad').waitFor()
  await expect.poll(() => card.count()).toBe(0)
  expect(owner.problems).toEqual([])
})

longTest('squads are in the sidebar and, on phones, in the menu and the library', async () => {
  const { page, problems } = await server.open()
  await register(page, 'finder')
  await page.goto('/')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await sidebar.getByRole('link', { name: 'Join or create a squad' }).waitFor()
  await keepPicture(page, 'sidebar without squads')
  const path = await createSquad(page, { name: 'Pathfinders', tag: 'PATH', joining: 'Open' })
  const link = sidebar.getByRole('link', { name: 'Pathfinders' })
  await link.waitFor()
  await page.goto('/')
  await link.waitFor()
  expect(await auditPage(page)).toEqual([])
  await keepPicture(page, 'sidebar with squads')
  await link.click()
  await page.waitForURL(path)
  await page.setViewportSize(PHONE)
  await page.goto('/library')
  const strip = page.getByRole('navigation', { name: 'Your squads' })
  await strip.getByRole('link', { name: 'Pathfinders' }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await keepPicture(page, 'library with squads phone')
  if (process.env.KEEP_PICTURES) {
    await showScheme(page, 'light')
    await keepPicture(page, 'library with squads phone light')
  }
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page
    .getByRole('dialog', { name: 'Menu' })
    .getByRole('link', { name: 'Pathfinders' })
    .click()
  await page.waitForURL(path)
  expect(problems).toEqual([])
})

longTest('the page of a squad begins with what is new and who was here', async () => {
  const { page, problems } = await server.open()
  const ownId = await register(page, 'drummer')
  const path = await createSquad(page, { name: 'Drummers', tag: 'DRUM', joining: 'Open' })
  await page.getByText('Nothing for this squad yet').waitFor()
  const squadId = Number(path.split('/').at(-1))
  await writeRows(server, async (db) => {
    const now = timestamp()
    for (const displayName of ['Mia Holm', 'Ben Okafor', 'Lea Sand', 'Ida Brook']) {
      const userId = await addMember(db, displayName)
      await addRows(db, 'squadMembers', { squadId, userId, role: 'member', joinedAt: now })
      if (displayName === 'Ben Okafor') continue
      await addRows(db, 'visits', { userId, startedAt: now, seenAt: now, previousAt: null })
      await db.updateTable('users').set({ showsPresence: 1 }).where('id', '=', userId).execute()
    }
    await addVideos(db, [
      { userId: ownId, title: 'Full raid', visibility: 'private', squadId },
      { userId: ownId, title: 'Second raid', visibility: 'private', squadId },
    ])
  })
  await page.request.post('/trpc/settings.editProfile', { data: { showsPresence: true } })
  await page.request.post('/trpc/post.create', { data: { content: 'At nine', squadId } })
  await page.goto(path)
  await page.getByText('Mia Holm, Lea Sand and 1 other here in the last day').waitFor()
  const headings = page.getByRole('tabpanel').getByRole('heading', { level: 2 })
  expect(await headings.allTextContents()).toEqual(['Posts', 'Videos', 'Members'])
  await keepPicture(page, 'squad new')
  expect(await auditPage(page)).toEqual([])
  if (process.env.KEEP_PICTURES) {
    await showScheme(page, 'light')
    await keepPicture(page, 'squad new light')
    await page.setViewportSize(PHONE)
    await keepPicture(page, 'squad new phone')
  }
  await page.getByRole('link', { name: 'All videos' }).click()
  await page.waitForURL(`${path}?tab=videos`)
  expect(problems).toEqual([])
})

longTest('a clip is sent to a squad from its page, and from the card after Create', async () => {
  const sender = await server.open()
  const { page } = sender
  await register(page, 'sender')
  const path = await createSquad(page, { name: 'Scouts', tag: 'SCT', joining: 'Open' })
  const clipPath = `${server.dataFolder}/scouts.mp4`
  await makeClip({ path: clipPath, seconds: 30 })
  const id = await uploadClip(page, clipPath, { title: 'The whole raid' })
  const clip = { videoId: id, title: 'The ambush', startSeconds: 2, endSeconds: 6 }
  const made = await page.request.post('/api/clips', { data: clip })
  const { id: clipId } = await made.json()
  await page.goto(`/clip/${clipId}`)
  await page.getByRole('button', { name: 'More ways to share' }).click()
  await page.getByRole('menuitem', { name: 'Send to a squad' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('textbox', { name: 'Message to the squad' }).fill('Look at this one')
  await keepPicture(page, 'send to a squad')
  await dialog.getByRole('button', { name: 'Scouts' }).click()
  await dialog.getByRole('button', { name: 'Scouts' }).getByRole('img', { name: 'Sent' }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await page.goto(`${path}?tab=posts`)
  const post = page
    .getByRole('article', { name: /Post by/ })
    .filter({ hasText: 'Look at this one' })
  await post.getByRole('link', { name: 'The ambush' }).waitFor()
  await keepPicture(page, 'a clip in a post')
  expect(await auditPage(page)).toEqual([])

  await page.goto(`/clips?at=${clipId}`)
  // 'Share' offers the squads once they are loaded.
  await page.locator('button[aria-haspopup=dialog]', { hasText: 'Share' }).waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByRole('button', { name: 'Scouts' }).waitFor()
  await keepPicture(page, 'send from the feed')
  await page.keyboard.press('Escape')
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'More ways to share' }).click()
  await page.getByRole('menuitem', { name: 'Send to a squad' }).click()
  await dialog.getByRole('button', { name: 'Scouts' }).click()
  await dialog.getByRole('button', { name: 'Scouts' }).getByRole('img', { name: 'Sent' }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto('/search?q=raid')
  const opener = page.getByRole('button', { name: 'Actions for The whole raid' })
  await opener.click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  await dialog.getByRole('button', { name: 'Scouts' }).click()
  await dialog.getByRole('button', { name: 'Scouts' }).getByRole('img', { name: 'Sent' }).waitFor()
  await keepPicture(page, 'send from a card')
  await page.keyboard.press('Escape')
  await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'Clip', exact: true }).click()
  await page
    .getByRole('form', { name: 'New clip' })
    .getByRole('button', { name: 'Create', exact: true })
    .click()
  const card = page.getByRole('region', { name: 'Your clip' })
  await card.getByRole('button', { name: 'Scouts' }).click()
  await card.getByRole('button', { name: 'Scouts' }).getByRole('img', { name: 'Sent' }).waitFor()
  await keepPicture(page, 'sent from the card')
  if (process.env.KEEP_PICTURES) {
    await showScheme(page, 'light')
    await keepPicture(page, 'sent from the card light')
    await page.setViewportSize(PHONE)
    await keepPicture(page, 'sent from the card phone')
  }
  expect(await auditPage(page, { within: '[aria-label="Your clip"]' })).toEqual([])
  await page.goto(`${path}?tab=posts`)
  await page.getByRole('article').filter({ hasText: 'Watch this clip.' }).first().waitFor()
  expect(sender.problems).toEqual([])
})

longTest('the page of a squad lives, its news are told and lit, and search finds it', async () => {
  const owner = await server.open()
  const ownerPage = owner.page
  await register(ownerPage, 'ratking')
  const path = await createSquad(ownerPage, {
    name: 'Rust Rats',
    tag: 'RATS',
    joining: 'By request',
  })
  const squadId = Number(path.split('/').at(-1))
  const { page, problems } = await server.open()
  await register(page, 'amyrat')

  await page.goto('/search?q=rust+rats')
  const found = page.getByRole('region', { name: 'Squads' })
  await found.getByRole('link', { name: 'Rust Rats' }).waitFor()
  await keepPicture(page, 'squads found')
  await found.getByRole('link', { name: 'Rust Rats' }).click()
  await page.getByRole('button', { name: 'Ask to join Rust Rats' }).click()
  await page.getByRole('button', { name: 'Withdraw your request to join Rust Rats' }).waitFor()
  await ownerPage.getByRole('tab', { name: 'Members · 1 waiting' }).click()
  await ownerPage.getByRole('button', { name: 'Accept The amyrat' }).click()
  // The page updates without a reload.
  await page.getByText('Nothing for this squad yet').waitFor()
  expect(await page.getByRole('button', { name: /Withdraw/ }).count()).toBe(0)

  const post = (as: Page, content: string) =>
    as.request.post('/trpc/post.create', { data: { content, squadId } })
  const findShifts = await watchLayout(page)
  const placeOf = () => page.getByText('Nothing for this squad yet').boundingBox()
  const place = await placeOf()
  await post(ownerPage, 'Raid at nine')
  const line = page.getByRole('button', { name: 'New in the squad' })
  await line.waitFor()
  expect(await placeOf()).toEqual(place)
  expect(await findShifts()).toEqual([])
  const dot = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'New in Rust Rats' })
  await dot.waitFor()
  await keepPicture(page, 'squad line')
  await line.click()
  await page.getByText('Raid at nine').waitFor()
  await line.waitFor({ state: 'detached' })
  await dot.waitFor({ state: 'detached' })

  await page.goto('/')
  await post(ownerPage, 'Bring meds')
  await dot.waitFor()
  await keepPicture(page, 'squad dot')
  // On phones the squads are at the top of the library.
  await page.setViewportSize(PHONE)
  await page
    .getByRole('navigation', { name: 'Tabs' })
    .getByRole('link', { name: 'Library' })
    .click()
  const strip = page.getByRole('navigation', { name: 'Your squads' })
  await strip.getByRole('link', { name: 'New in Rust Rats' }).waitFor()
  await keepPicture(page, 'squad dot phone')
  await page.setViewportSize(DESKTOP)
  await page.goto('/notifications?show=squads')
  await keepPicture(page, 'squad notifications')
  expect(await auditPage(page)).toEqual([])
  const row = page.getByRole('listitem').filter({ hasText: /posted in Rust Rats, \d times/ })
  await row.getByRole('link', { name: 'View' }).click()
  await page.waitForURL(new RegExp(`${path}#post-\\d+$`))
  const lit = page.locator('article[data-linked]')
  await lit.filter({ hasText: 'Bring meds' }).waitFor()
  await keepPicture(page, 'squad post lit')
  await dot.waitFor({ state: 'detached' })
  expect(await auditPage(page)).toEqual([])
  if (process.env.KEEP_PICTURES) {
    await post(ownerPage, 'One more')
    await line.waitFor()
    await showScheme(page, 'light')
    await keepPicture(page, 'squad line light')
    await page.setViewportSize(PHONE)
    await keepPicture(page, 'squad line phone light')
    await page.goto('/notifications?show=squads')
    await row.waitFor()
    await keepPicture(page, 'squad notifications phone')
  }
  expect(problems).toEqual([])
})

const isPlaying = (page: Page) =>
  page
    .locator('video')
    .evaluateAll((videos: HTMLVideoElement[]) =>
      videos.some(({ paused, currentTime }) => !paused && currentTime > 0),
    )
const timeOf = (page: Page) =>
  page
    .locator('video')
    .evaluateAll((videos: HTMLVideoElement[]) =>
      Math.max(0, ...videos.map(({ currentTime }) => currentTime)),
    )

const VIDEO_ENDS = 'This video could not be found'
const CLIP_ENDS = 'This clip is no longer available.'

const ENDS: [string, string, string, string, string | undefined][] = [
  ['a video', 'when its squad is deleted', 'fleet', 'delete', VIDEO_ENDS],
  ['a video', 'for a member who is removed from its squad', 'crew', 'removeMember', VIDEO_ENDS],
  ['the page of a clip', 'for a member who is removed', 'deck', 'removeMember', undefined],
  ['a clip in the feed', 'for a member who is removed', 'mast', 'removeMember', CLIP_ENDS],
]
longTest.each(ENDS)('%s that plays stops %s', async (kind, _, name, procedure, words) => {
  const owner = await server.open()
  await register(owner.page, `captain-${name}`)
  const path = await createSquad(owner.page, { name, tag: name.toUpperCase(), joining: 'Open' })
  const squadId = Number(path.split('/').at(-1))
  const member = await server.open()
  const { page } = member
  const memberId = await register(page, `sailor-${name}`)
  await page.goto(path)
  await page.getByRole('button', { name: `Join ${name}` }).click()
  await page.getByText(`You are in ${name}`).waitFor()
  const clipPath = `${server.dataFolder}/${name}.mp4`
  await makeClip({ path: clipPath, seconds: 60 })
  const metadata = { title: 'On board', squadId }
  const id = await uploadClip(owner.page, clipPath, metadata)
  const clip = { videoId: id, title: 'The storm', startSeconds: 2, endSeconds: 40 }
  const made = await owner.page.request.post('/api/clips', { data: clip })
  const { id: clipId } = await made.json()
  const place = {
    'a video': `/video/${id}`,
    'the page of a clip': `/clip/${clipId}`,
    'a clip in the feed': `/clips?at=${clipId}`,
  }[kind]
  // The installed clock continues to run by itself.
  await page.clock.install()
  await page.goto(place ?? '')
  await expect.poll(() => isPlaying(page)).toBe(true)
  const before = await timeOf(page)
  await expect.poll(() => timeOf(page)).toBeGreaterThan(before)
  const answer = await owner.page.request.post(`/trpc/squad.${procedure}`, {
    data: { id: squadId, ...(procedure === 'removeMember' && { userId: memberId }) },
  })
  expect(answer.status()).toBe(200)
  await page.clock.runFor(60_000)
  if (words !== undefined) await page.getByText(words).first().waitFor()
  // The feed may have loaded other clips.
  const current = kind === 'a clip in the feed' ? page.locator('article[data-current]') : page
  await expect.poll(() => current.locator('video').count()).toBe(0)
})
