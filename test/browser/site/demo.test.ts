import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { launchBrowser, openPage } from '#test/support/browser.ts'
import { childEnvironment } from '#test/support/child-environment.ts'
import { listRows } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const base = setUpFolder('demo-test')

const TABLES = [
  ...(['videoReactions', 'clips', 'posts', 'captions', 'participants', 'montages'] as const),
  ...(['reports', 'squads', 'subscriptions', 'likes'] as const),
]

/** How many there are of each kind of thing that members make. */
async function countKinds(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TABLES) counts[table] = (await listRows(db, table)).length
  const videos = await listRows(db, 'videos')
  const comments = await listRows(db, 'comments')
  return {
    ...counts,
    chapters: videos.filter(({ description }) => description.includes('0:00 The way in')).length,
    inSquads: videos.filter(({ squadId }) => squadId !== null).length,
    public: videos.filter((one) => one.visibility === 'public' && one.contentApproved).length,
    waiting: videos.filter(({ contentApproved }) => contentApproved === 0).length,
    onVideos: comments.filter(({ videoId }) => videoId !== null).length,
    onPosts: comments.filter(({ postId }) => postId !== null).length,
  }
}

test('the demo shows videos that play, lets its admin in, and leaves nothing when it ends', async () => {
  const script = join(import.meta.dirname, '..', '..', '..', 'src', 'tools', 'demo.ts')
  const child = spawn(process.execPath, [script, '--videos', '3'], {
    env: { ...childEnvironment, PORT: '0', HOST: '127.0.0.1', TMPDIR: base, RENDITIONS: '240' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (data) => {
    said += String(data)
  })
  const browser = await launchBrowser()
  try {
    await until(() => child.exitCode !== null || said.includes('The first video is there'))
    const [, origin = ''] = /is ready: (\S+)/.exec(said) ?? []
    const [, username, password] = /Log in as (\S+),.* password (\S+)\./.exec(said) ?? []
    const { page, problems } = await openPage(browser, { origin, isNew: true })
    await page.goto('/')
    const cards = page.getByRole('main').getByRole('article')
    await expect.poll(() => cards.count()).not.toBe(0)
    await cards.first().getByText('Night drive to Vinewood').click()
    await page.waitForURL(/\/video\/\d+/)
    const video = page.locator('video')
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).not.toBe(0)
    const login = await page.request.post('/api/login', { data: { username, password } })
    expect(await login.json()).toMatchObject({ username, isAdmin: true })
    expect(problems).toEqual([])
    // The demo creates squads last.
    await until(() => child.exitCode !== null || said.includes('All 3 videos are there'), {
      timeoutMs: 120_000,
    })
    const [dataFolder = ''] = await readdir(base)
    const counts = await writeRows({ dataFolder: join(base, dataFolder) }, countKinds)
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
    await page.goto('/')
    await page.getByText('posted since your last visit').waitFor()
    await page.goto('/squads')
    for (const name of ['Night Owls', 'Last Circle']) {
      await page
        .getByRole('link', { name: new RegExp(name) })
        .first()
        .waitFor()
    }
    await page.close()
  } finally {
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await browser.close()
  }
  expect(await readdir(base)).toEqual([])
})

test('a demo is not kept in a folder that has something in it, and has at least two videos', async () => {
  await writeFile(join(base, 'mine.txt'), '')
  const full = await runCommand('demo', { dataFolder: base, args: ['--keep', base] })
  expect(full).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is not empty.') })
  const none = await runCommand('demo', { dataFolder: base, args: ['--videos', '1'] })
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('Usage: npm run demo') })
  await rm(join(base, 'mine.txt'))
})
