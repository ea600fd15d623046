import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACTION_MS, DESKTOP, launchBrowser } from '#test/support/browser.ts'
import { type FullSite, startFullSite } from '#test/support/full-site.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { inspectPage, waitUntilSettled, watchLayout } from '#test/support/page-check.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'

let browser: Browser
let site: FullSite
/** A site without videos, for some of the variants. */
let empty: ServerProcess | undefined

beforeAll(async () => {
  browser = await launchBrowser()
  site = await startFullSite(browser)
  if (isLongForm) empty = await startServer()
})
afterAll(async () => {
  await browser.close()
  await site.remove()
  await empty?.remove()
})

type Visit = {
  name: string
  /** `{video}` and the like stand for ids of the site. */
  path: string
  who?: 'member' | 'newcomer' | 'admin'
  /** Seen when the page is there. */
  text: string | RegExp
  /** On a site where nothing was uploaded yet. */
  isEmptySite?: true
  /** Opens a part of the page. */
  open?: (page: Page) => Promise<void>
  /** Status of an answer that the browser logs by itself, which is allowed. */
  status?: 400 | 401 | 403 | 404
}

const press = (role: 'button' | 'tab' | 'checkbox', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click()

/** It plays by itself, since reading a page counts as acting on it here. */
const pause = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())

const chooseFile = async (page: Page) => {
  await page.locator('input[type=file]').first().setInputFiles(site.clip)
  await page.getByLabel('Title').waitFor()
}

const openDialog = (button: string | RegExp, dialog: string) => async (page: Page) => {
  await press('button', button)(page)
  await page.getByRole('dialog', { name: dialog }).waitFor()
}

/** The names of the admin pages in the address, with a text that each page shows. */
const ADMIN_SECTIONS: [section: string, text: string | RegExp][] = [
  ['', 'Overview'],
  ['approvals', 'Waits for approval'],
  ['reports', 'Reports'],
  ['comments', 'Comments'],
  ['members', /@/],
  ['jobs', 'Still being prepared'],
  ['workers', 'No workers yet'],
  ['storage', 'Storage'],
  ['inbox', 'No folders yet'],
  ['settings', 'Name and look'],
  // The site of this test has no PUBLIC_URL.
  ['webhooks', /Set PUBLIC_URL/],
  ['backup', 'Backup'],
  ['audit', 'Audit log'],
  ['welcome', 'Where it is reached'],
]

const VISITS: Visit[] = [
  { name: 'home', path: '/', text: /views/ },
  { name: 'home of a member', path: '/', who: 'member', text: /views/ },
  { name: 'home empty', path: '/', isEmptySite: true, text: 'No videos found' },
  { name: 'home category', path: '/?category=Rust', text: /views/ },
  {
    ...{ name: 'watch signed out', path: '/video/{video}', text: 'Sign in to add a comment' },
    open: pause,
  },
  {
    ...{ name: 'watch signed in', path: '/video/{video}', who: 'member', text: 'REPLY' },
    open: pause,
  },
  { name: 'watch processing', path: '/video/{processing}', who: 'member', text: '42%' },
  { name: 'watch failed', path: '/video/{failed}', who: 'member', text: 'The file is cut off.' },
  { name: 'watch missing', path: '/video/999999', text: 'Return to Home', status: 404 },
  { name: 'profile', path: '/profile/{channel}', text: /views/ },
  { name: 'profile playlists', path: '/profile/{channel}?tab=playlists', text: 'No playlists' },
  { name: 'profile community', path: '/profile/{channel}?tab=community', text: 'coming soon' },
  { name: 'profile channels', path: '/profile/{channel}?tab=channels', text: 'coming soon' },
  {
    ...{ name: 'profile posts', path: '/profile/{poster}?tab=community', who: 'newcomer' as const },
    text: /We play at nine/,
    open: async (page) => {
      await press('button', '1 comment')(page)
      await page.getByText('I am in').waitFor()
    },
  },
  {
    ...{
      name: 'profile posts own',
      path: '/profile/{member}?tab=community',
      who: 'member' as const,
    },
    text: /We play at nine/,
  },
  { name: 'profile featured', path: '/profile/{member}?tab=channels', text: /^@/ },
  {
    ...{ name: 'profile featured own', path: '/profile/{member}?tab=channels' },
    ...{ who: 'member', text: 'Feature a channel' },
  },
  { name: 'profile appears in', path: '/profile/{member}?tab=appearances', text: /views/ },
  { name: 'profile about', path: '/profile/{channel}?tab=about', text: /Joined/ },
  { name: 'profile own', path: '/profile/{member}', who: 'member', text: 'Edit channel' },
  { name: 'profile missing', path: '/profile/999999', text: 'Profile Not Found', status: 404 },
  { name: 'search results', path: '/search?q=a', text: /results? found/ },
  { name: 'search nothing', path: '/search?q=zzzzzz', text: 'No videos found' },
  { name: 'search blank', path: '/search', text: 'Search for videos by title' },
  { name: 'upload', path: '/upload', who: 'member', text: 'Click to select a video file' },
  {
    ...{ name: 'upload chosen', path: '/upload', who: 'member', open: chooseFile },
    text: 'Click to select a video file',
  },
  { name: 'studio', path: '/studio', who: 'member', text: 'Pending Approval' },
  { name: 'studio empty', path: '/studio', who: 'newcomer', text: 'No videos yet' },
  {
    ...{ name: 'studio edit', path: '/studio', who: 'member', text: 'Pending Approval' },
    open: async (page) => {
      await press('button', 'Edit')(page)
      await page.getByRole('dialog', { name: 'Edit Video' }).getByLabel('Title').waitFor()
    },
  },
  {
    ...{
      name: 'studio table',
      path: '/studio?view=table',
      who: 'member',
      text: 'Pending Approval',
    },
    open: async (page) => {
      await press('checkbox', /^Select /)(page)
      await page.getByRole('region', { name: 'Selected videos' }).waitFor()
    },
  },
  {
    ...{ name: 'studio share preview', path: '/studio', who: 'member', text: 'Pending Approval' },
    open: openDialog(/^Share preview of/, 'Share preview'),
  },
  {
    ...{ name: 'studio delete', path: '/studio', who: 'member', text: 'Pending Approval' },
    open: async (page) => {
      await press('button', 'Delete')(page)
      await page.getByText('This action cannot be undone.').waitFor()
    },
  },
  { name: 'studio storage', path: '/studio?tab=storage', who: 'member', text: 'Everything stored' },
  { name: 'history', path: '/history', who: 'member', text: /views/ },
  { name: 'history empty', path: '/history', who: 'newcomer', text: 'Your watch history is empty' },
  { name: 'history signed out', path: '/history', text: 'Sign in to keep what you watch' },
  { name: 'subscriptions', path: '/subscriptions', who: 'member', text: /views/ },
  {
    ...{ name: 'subscriptions channels', path: '/subscriptions?tab=channels', who: 'member' },
    text: 'Subscribed',
  },
  { name: 'subscriptions empty', path: '/subscriptions', who: 'newcomer', text: 'No new videos' },
  { name: 'subscriptions signed out', path: '/subscriptions', text: 'Keep track of what you' },
  { name: 'clips empty', path: '/clips', text: 'No clips yet' },
  { name: 'explore', path: '/explore', text: /#/ },
  {
    name: 'explore empty',
    path: '/explore',
    isEmptySite: true,
    text: 'Nothing to explore yet',
  },
  { name: 'library', path: '/library', who: 'member', text: 'Best rounds' },
  { name: 'library empty', path: '/library', who: 'newcomer', text: 'No playlists yet' },
  { name: 'library signed out', path: '/library', text: 'Keep what you like' },
  { name: 'playlist', path: '/playlist/{playlist}', who: 'member', text: 'Best rounds' },
  { name: 'playlist liked', path: '/playlist/liked', who: 'newcomer', text: 'No liked videos' },
  { name: 'playlist missing', path: '/playlist/999999', text: 'Playlist not found', status: 404 },
  { name: 'room', path: '/room/{room}', who: 'member', text: 'Ready when you are' },
  {
    ...{ name: 'room people', path: '/room/{room}', who: 'member', text: 'Ready when you are' },
    open: press('tab', /People/),
  },
  {
    ...{ name: 'room queue', path: '/room/{room}', who: 'member', text: 'Ready when you are' },
    open: press('tab', /Queue/),
  },
  { name: 'room closed', path: '/room/{room}', text: 'This room is for members', status: 401 },
  {
    ...{ name: 'room over', path: '/room/AAAAAAAAAAAAAAAAAAAAAA', text: 'This room is over' },
    status: 404,
  },
  {
    ...{ name: 'squad view missing', path: '/squad-view/999999', status: 404 },
    text: 'There is no such squad view',
  },
  { name: 'squads', path: '/squads', who: 'member', text: 'Night Owls' },
  { name: 'squads to join', path: '/squads', who: 'newcomer', text: 'Squads you can join' },
  {
    ...{ name: 'squad new', path: '/squads', who: 'member', text: 'Night Owls' },
    open: openDialog('New squad', 'New squad'),
  },
  { name: 'squad', path: '/squad/{squad}', who: 'member', text: 'All videos' },
  { name: 'squad videos', path: '/squad/{squad}?tab=videos', who: 'member', text: 'For the squad' },
  {
    name: 'squad closed',
    path: '/squad/{squad}',
    who: 'newcomer',
    text: 'For members of the squad',
  },
  { name: 'squad posts', path: '/squad/{squad}?tab=posts', who: 'member', text: 'We play at nine' },
  { name: 'squad clips', path: '/squad/{squad}?tab=clips', who: 'member', text: 'No clips yet' },
  { name: 'squad members', path: '/squad/{squad}?tab=members', who: 'member', text: 'Officer' },
  {
    ...{ name: 'squad missing', path: '/squad/999999', who: 'member', text: 'Squad not found' },
    status: 404,
  },
  { name: 'settings', path: '/settings', who: 'member', text: 'This device' },
  {
    ...{ name: 'settings token', path: '/settings', who: 'member', text: 'This device' },
    open: openDialog('New API token', 'New API token'),
  },
  {
    ...{ name: 'settings password', path: '/settings', who: 'member', text: 'This device' },
    status: 403,
    open: async (page) => {
      await openDialog('New API token', 'New API token')(page)
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('ShareX')
      await openDialog('Create API token', 'Confirm your password')(page)
    },
  },
  ...ADMIN_SECTIONS.map(([section, text]) => ({
    ...{ name: `admin ${section}`.trim(), path: `/admin/${section}`, who: 'admin' as const, text },
  })),
  { name: 'admin refused', path: '/admin', who: 'member', text: 'Page Not Found', status: 404 },
  { name: 'rules', path: '/rules', text: 'Be kind' },
  { name: 'about', path: '/about', text: 'Licences' },
  // Seen by the browser only when the question did not travel together with others.
  { name: 'reset', path: '/reset#nobodys', text: /link/, status: 400 },
  { name: 'verify', path: '/verify#nobodys', text: /Verify your email address/ },
  { name: 'link', path: '/link', who: 'member', text: 'Connect a program' },
  { name: 'unsubscribe', path: '/unsubscribe?token=1.none', text: /Stop the summaries/ },
  { name: 'embed', path: '/embed/{video}', text: /0:30/, open: pause },
  {
    ...{ name: 'report', path: '/profile/{channel}', who: 'member', text: /views/ },
    open: openDialog('Report this channel', 'Report this channel?'),
  },
  { name: 'login', path: '/auth', text: "Don't have an account?" },
  {
    ...{ name: 'invitation', path: '/auth?tab=register#invite={invite}' },
    text: /invites you to/,
  },
  { name: 'register', path: '/auth?tab=register', text: 'Already have an account?' },
  { name: 'not found', path: '/no/such/page', text: 'Page Not Found', status: 404 },
  {
    ...{ name: 'notifications', path: '/history', who: 'member', text: /views/ },
    open: async (page) => {
      await press('button', /^Notifications/)(page)
      await page.getByRole('button', { name: 'Delete notification' }).first().waitFor()
    },
  },
  { name: 'notifications page', path: '/notifications', who: 'member', text: 'View' },
  { name: 'notifications none', path: '/notifications', who: 'newcomer', text: 'No notifications' },
  {
    ...{ name: 'notifications empty', path: '/library', who: 'newcomer', text: 'No playlists' },
    open: async (page) => {
      await press('button', 'Notifications')(page)
      await page.getByText('No notifications').waitFor()
    },
  },
  {
    ...{ name: 'user menu', path: '/library', who: 'newcomer', text: 'No playlists yet' },
    open: press('button', 'User menu'),
  },
  {
    ...{ name: 'card menu', path: '/', who: 'member', text: /views/ },
    open: async (page) => {
      const card = page.getByRole('article').first()
      await card.hover()
      await card.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem', { name: 'Watch later' }).waitFor()
    },
  },
  {
    ...{ name: 'share menu', path: '/video/{video}', text: 'Sign in to add a comment' },
    open: async (page) => {
      await pause(page)
      await press('button', 'More ways to share')(page)
      await page.getByRole('menuitem', { name: 'Copy link', exact: true }).waitFor()
    },
  },
  {
    ...{ name: 'share dialog', path: '/video/{video}', text: 'Sign in to add a comment' },
    open: async (page) => {
      await pause(page)
      await press('button', 'More ways to share')(page)
      await page.getByRole('menuitem', { name: 'Embed and QR code' }).click()
      await page
        .getByRole('dialog', { name: 'Share' })
        .getByRole('img', { name: /QR code/ })
        .waitFor()
    },
  },
]

/** Visits that differ from another one in their content, but not in the layout. */
const VARIANTS = [
  ...['squad', 'squad new', 'squad members', 'invitation', 'notifications none', 'studio', 'login'],
  ...['verify', 'unsubscribe', 'link', 'admin webhooks', 'admin inbox'],
  ...['home of a member', 'home category', 'watch processing', 'watch failed', 'profile playlists'],
  ...['profile posts own', 'profile featured', 'profile featured own', 'profile appears in'],
  ...['profile community', 'profile channels', 'profile own', 'search nothing', 'search blank'],
  ...['studio empty', 'studio table', 'studio share preview', 'studio delete', 'history empty'],
  ...['history signed out', 'subscriptions channels', 'subscriptions empty', 'library empty'],
  ...['subscriptions signed out', 'explore empty', 'library signed out', 'playlist liked'],
  ...['settings token', 'admin refused', 'notifications empty', 'user menu', 'share menu'],
  ...['admin jobs', 'admin audit', 'admin comments', 'admin reports', 'profile missing'],
  ...[
    'playlist missing',
    'register',
    'rules',
    'about',
    'home empty',
    'watch missing',
    'profile about',
  ],
  ...['upload chosen', 'settings password', 'reset', 'report', 'card menu', 'embed'],
  ...['admin backup', 'admin members', 'admin approvals', 'admin storage', 'watch signed out'],
  ...['profile posts', 'studio edit', 'subscriptions', 'not found', 'clips empty'],
  ...['admin welcome', 'admin workers', 'library', 'explore', 'playlist', 'notifications'],
  ...['search results', 'profile', 'admin', 'settings', 'history', 'admin settings', 'upload'],
  ...[
    'room people',
    'room queue',
    'room closed',
    'room over',
    'squads to join',
    'squad closed',
    'squad videos',
    'squad posts',
    'squad clips',
    'squad missing',
    'squads',
  ],
  // Audited where the dialog is tested.
  ...['share dialog', 'studio storage'],
]

/** On a busy machine the app starts seconds after the pictures that its page preloads. */
const LATE_PRELOAD = /was preloaded using link preload but not used within a few seconds/

type Tab = { page: Page; complaints: string[]; shifts: () => Promise<string[]> }

/** Tabs that were used, for the next visits of the same person: a new one takes as long as the rest of a visit. */
const freeTabs = new Map<string, Tab[]>()
const tabsOf = ({ who, isEmptySite }: Visit) => `${who} ${isEmptySite}`

async function openTab({ who, isEmptySite }: Visit): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: isEmptySite ? empty?.origin : site.server.origin,
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    ...(who && { storageState: site.sessions[who] }),
  })
  context.setDefaultTimeout(ACTION_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type())
    if (isComplaint && !LATE_PRELOAD.test(message.text())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    const isOwn = origin === site.server.origin || origin === empty?.origin
    if (protocol.startsWith('http') && !isOwn) complaints.push(`left the site: ${request.url()}`)
  })
  return { page, complaints, shifts: await watchLayout(page) }
}

test.concurrent.each(isLongForm ? VISITS : VISITS.filter(({ name }) => !VARIANTS.includes(name)))(
  '$name: everybody can read it, and nothing moves or complains',
  async (visit) => {
    const { ids } = site
    const free = freeTabs.get(tabsOf(visit))?.pop()
    const tab = free ?? (await openTab(visit))
    const { page, complaints, shifts } = tab
    const path = visit.path.replace(/\{(\w+)\}/, (_, name) => String(ids[name as keyof typeof ids]))
    await page.setViewportSize(DESKTOP)
    await page.goto(path)
    const text = page.getByRole('main').getByText(visit.text)
    await text.filter({ visible: true }).first().waitFor()
    await waitUntilSettled(page)
    expect(await shifts()).toEqual([])
    await visit.open?.(page)
    await waitUntilSettled(page)
    expect(
      await inspectPage(page, {
        ...{ name: visit.name, isOpened: visit.open !== undefined },
        isThorough: isLongForm,
      }),
    ).toEqual([])
    const isExpected = (text: string) => visit.status && text.includes(`status of ${visit.status}`)
    expect(complaints.splice(0).filter((text) => !isExpected(text))).toEqual([])
    freeTabs.set(tabsOf(visit), [...(freeTabs.get(tabsOf(visit)) ?? []), tab])
  },
)
