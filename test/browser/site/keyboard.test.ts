import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { focusedName, tabTo } from '#test/support/keyboard.ts'
import { longTest } from '#test/support/long-form.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '' } })
let page: Page
let problems: string[]
let otherVideo: number

beforeAll(async () => {
  ;({ page, problems } = await server.open())
  // From now on choosers are caught, so that none opens between asking for one and the key.
  page.on('filechooser', () => {})
  otherVideo = await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Bulwark')
    const [id = 0] = await addVideos(db, [{ userId, title: 'Their match', duration: 60 }])
    return id
  })
})

const keyboard = { press: (key: string) => page.keyboard.press(key) }
const type = (text: string) => page.keyboard.type(text)
const focusIs = (name: string | RegExp) => expect.poll(() => focusedName(page)).toMatch(name)
const toast = (text: string) => page.getByRole('status').getByText(text).waitFor()

test('the first stop skips to the content', async () => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Their match', exact: true }).waitFor()
  expect(await tabTo(page, 'Skip to content')).toHaveLength(1)
  await keyboard.press('Enter')
  await focusIs(/^main$/)
  expect(await tabTo(page, 'Refresh')).not.toContain('Sign In')
})

test('a user registers, and a screen reader says which page has come', async () => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Their match', exact: true }).waitFor()
  const stops = await tabTo(page, 'Sign In')
  expect(stops).toEqual([
    'Skip to content',
    'Collapse the sidebar',
    'Clutch, home',
    'Search videos',
    'Search',
    'Appearance',
    'Sign In',
  ])
  await keyboard.press('Enter')
  await page.waitForURL('/auth')
  await focusIs(/^main$/)
  await page.getByRole('status').getByText('Login', { exact: true }).waitFor()
  await tabTo(page, 'Login')
  await keyboard.press('ArrowRight')
  await page.waitForURL('/auth?tab=register')
  await focusIs('Register')
  // Both forms ask for a user name.
  await page.getByLabel('Email').waitFor()
  for (const [label, text] of [
    ['Username', 'keyla'],
    ['Email', 'keyla@example.org'],
    ['Display Name', 'Keyla'],
    ['Password', 'correct horse'],
    ['Confirm Password', 'correct horse'],
  ]) {
    await tabTo(page, label ?? '')
    await type(text ?? '')
  }
  await keyboard.press('Enter')
  await page.waitForURL('/')
  await toast('Your account has been successfully created.')
  await focusIs(/^main$/)
})

test('F8 goes to the message, and dismissing it goes back', async () => {
  await keyboard.press('F8')
  await focusIs('Messages (F8)')
  // It glides in.
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
  await tabTo(page, 'Dismiss message')
  await keyboard.press('Enter')
  await focusIs(/^main$/)
})

test('a video is uploaded', async () => {
  const path = await makeClip({ path: join(server.dataFolder, 'last-stand.mp4'), seconds: 2 })
  await tabTo(page, 'Upload', 'Shift+Tab')
  await keyboard.press('Enter')
  await page.waitForURL('/upload')
  await focusIs(/^main$/)
  await tabTo(page, /^Click to select a video file/)
  const chooser = page.waitForEvent('filechooser')
  await keyboard.press('Enter')
  await (await chooser).setFiles(path)
  await focusIs('Change Video')
  await tabTo(page, /^Title/)
  await keyboard.press('Control+a')
  await type('Last stand')
  await tabTo(page, 'Category')
  await keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Rust' }).waitFor()
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await tabTo(page, 'Tags')
  await type('ace')
  await keyboard.press('Enter')
  await tabTo(page, 'Upload Video')
  await keyboard.press('Enter')
  await page.getByRole('region', { name: 'Upload status' }).getByRole('status').waitFor()
  await page.waitForURL(/\/video\/\d+$/)
  await focusIs(/^main$/)
  await page.getByRole('heading', { name: 'Last stand' }).waitFor()
  await page.getByRole('status').getByText('Last stand', { exact: true }).waitFor()
})

longTest('another’s video is liked, its channel followed, commented on and answered', async () => {
  await page.goto(`/video/${otherVideo}`)
  await page.getByText('No comments yet').waitFor()
  await tabTo(page, 'Skip to content')
  await keyboard.press('Enter')
  await tabTo(page, 'Subscribe')
  await keyboard.press('Enter')
  await toast('Bulwark')
  await focusIs('Subscribed')
  await tabTo(page, /^Like/)
  await keyboard.press('Space')
  await page.getByRole('button', { name: 'Like 1' }).waitFor()
  await tabTo(page, 'Add a comment')
  await type('What a shot')
  await tabTo(page, 'Comment')
  await keyboard.press('Enter')
  await toast('Comment added')
  await focusIs('Add a comment')
  await page.getByText('What a shot').waitFor()
  await tabTo(page, 'REPLY')
  await keyboard.press('Enter')
  await focusIs('Reply to Keyla')
  await type('I mean it')
  await keyboard.press('Control+Enter')
  await toast('Reply added')
  await focusIs('REPLY')
  const actions = 'Actions for the comment by Keyla'
  await tabTo(page, actions)
  await keyboard.press('Enter')
  await focusIs('Edit')
  await keyboard.press('Enter')
  await focusIs('Edit comment')
  await keyboard.press('Escape')
  await focusIs(actions)
  await keyboard.press('Enter')
  await focusIs('Edit')
  await keyboard.press('ArrowDown')
  await focusIs('Delete')
  await keyboard.press('Enter')
  await focusIs('Cancel')
  await keyboard.press('Escape')
  await focusIs(actions)
  await keyboard.press('Enter')
  await focusIs('Edit')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await focusIs('Cancel')
  await tabTo(page, 'Delete')
  await keyboard.press('Enter')
  await page.getByText('No comments yet').waitFor()
  await focusIs(/^main$/)
})

longTest('a card’s menu opens, acts and hands the focus back', async () => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Their match', exact: true }).waitFor()
  await tabTo(page, 'Skip to content')
  await keyboard.press('Enter')
  await tabTo(page, 'Actions for Their match')
  await keyboard.press('Enter')
  await focusIs('Play next')
  await keyboard.press('Escape')
  await focusIs('Actions for Their match')
  await keyboard.press('Enter')
  await focusIs('Play next')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await focusIs('Watch later')
  await keyboard.press('Enter')
  await toast('Saved to Watch later')
  await focusIs('Actions for Their match')
  await keyboard.press('Enter')
  await focusIs('Play next')
  for (let times = 0; times < 3; times++) await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Add to playlist' }).waitFor()
  await page.getByRole('button', { name: 'New playlist' }).waitFor()
  await keyboard.press('Escape')
  await focusIs('Actions for Their match')
})

longTest('the popovers of the header close with Escape and give the focus back', async () => {
  for (const name of ['Notifications', 'User menu']) {
    await tabTo(page, name, 'Shift+Tab').catch(() => tabTo(page, name))
    await keyboard.press('Enter')
    await page.getByRole('dialog', { name }).waitFor()
    await keyboard.press('Escape')
    await focusIs(name)
  }
})

longTest('a video is edited, and deleted after a question', async () => {
  await page.goto('/studio')
  await page.getByRole('article', { name: 'Last stand' }).waitFor()
  await tabTo(page, 'Skip to content')
  await keyboard.press('Enter')
  await tabTo(page, 'Edit')
  await keyboard.press('Enter')
  await focusIs(/Title/)
  await keyboard.press('Control+a')
  await type('Second to last stand')
  await tabTo(page, 'Save Changes')
  await keyboard.press('Enter')
  await toast('Video updated successfully')
  await focusIs('Edit')
  await tabTo(page, 'Delete')
  await keyboard.press('Enter')
  await page.getByText('This action cannot be undone.').waitFor()
  await focusIs('Cancel')
  await tabTo(page, 'Delete Video')
  await keyboard.press('Enter')
  await toast('The video has been removed from your channel.')
  await page.getByText('No videos yet').waitFor()
  expect(await focusedName(page)).not.toBe('')
})

test('nothing complained in the console', () => {
  expect(problems).toEqual([])
})
