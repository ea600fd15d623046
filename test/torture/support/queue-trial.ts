import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { openPage } from '../../support/browser.ts'
import { makeClip } from '../../support/clips.ts'
import { register } from '../../support/page-member.ts'
import { startServer } from '../../support/server-process.ts'
import { writeRows } from '../../support/site-rows.ts'
import { until } from '../../support/until.ts'

type Options = {
  browser: Browser
  /** Empty; the files and the site's data go there. */
  folder: string
  files: number
  bytes: number
  /** How often the server is killed; the tab is reloaded once, after the first half of the kills. */
  kills: number
  /** What leaves the browser, so that every kill comes while files travel. */
  bytesPerSecond: number
  log?: (line: string) => void
}

type Kill = { uploaded: number; open: number }

const TYPED = 'Typed while it waited'
/** For all of the files to arrive after the last interruption. */
const END_MS = 20 * 60_000

/**
 * Drops files on a page at once, kills the server while they travel and reloads the tab, after which all files are
 * dropped again.
 * @returns titles of the videos at the end, those expected, and what was under way at each kill
 */
export async function tryQueue(options: Options) {
  const { browser, folder, files: count, kills, log = () => {} } = options
  const files = await makeFiles(options)
  const expected = files.map((_, index) => titleOf(index))
  expected[count - 1] = TYPED
  const dataFolder = join(folder, 'data')
  await mkdir(dataFolder)
  let server = await startServer({ dataFolder, env: { RENDITIONS: '144' } })
  const { page } = await openPage(browser, { origin: server.origin })
  const rows = () => writeRows(server, (db) => db.selectFrom('videos').selectAll().execute())
  const openUploads = () =>
    writeRows(server, async (db) => {
      const isOpen = db.selectFrom('uploads').select('id').where('state', '=', 'receiving')
      return (await isOpen.execute()).length
    })
  const uploaded = async () => (await rows()).length
  const killed: Kill[] = []
  try {
    await register(page, 'uploader')
    await openHome(page)
    const cdp = await slowPage(page, options.bytesPerSecond)
    await dropFiles(cdp, files)
    await page
      .getByRole('listitem')
      .filter({ hasText: titleOf(count - 1) })
      .waitFor()
    await typeTitle(page, titleOf(count - 1))
    const stops = kills + 1
    for (let stop = 1; stop <= stops; stop++) {
      const enough = Math.floor((count * stop) / (stops + 1))
      await until(async () => (await uploaded()) >= enough && (await isSending(page)), {
        timeoutMs: END_MS,
      })
      if (stop === Math.ceil(stops / 2)) {
        log(`the tab is reloaded after ${await uploaded()} videos`)
        await reload(page)
        await dropFiles(await slowPage(page, options.bytesPerSecond), files)
      } else {
        await until(async () => (await openUploads()) > 0, { timeoutMs: END_MS })
        const open = await openUploads()
        await server.stop('SIGKILL')
        killed.push({ uploaded: await uploaded(), open })
        log(`the server was killed after ${await uploaded()} videos, ${open} on their way`)
        server = await startServer({ dataFolder, port: server.port, env: { RENDITIONS: '144' } })
      }
    }
    const isOver = async () => (await uploaded()) >= count && !(await isSending(page))
    await until(isOver, { timeoutMs: END_MS })
    const videos = await rows()
    const titles = videos.map(({ title }) => title).sort()
    const words = await page.locator('section[aria-label="Uploads"] h2').innerText()
    return { expected: expected.sort(), titles, killed, words }
  } finally {
    await page.context().close()
    await server.stop('SIGKILL')
  }
}

const titleOf = (index: number) => `clip-${String(index + 1).padStart(3, '0')}`

/** A clip each, made as long as asked by a box that players skip, which also tells one from the other. */
async function makeFiles({ folder, files, bytes }: Options): Promise<string[]> {
  const path = await makeClip({ path: join(folder, 'clip.mp4'), seconds: 1 })
  const clip = await readFile(path)
  const paths: string[] = []
  for (let index = 0; index < files; index++) {
    const box = Buffer.alloc(bytes - clip.length, index + 1)
    box.writeUInt32BE(box.length)
    box.write('free', 4)
    const file = join(folder, `${titleOf(index)}.mp4`)
    await writeFile(file, Buffer.concat([clip, box]))
    paths.push(file)
  }
  return paths
}

/** Until the page listens for files. */
async function openHome(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Upload', exact: true }).first().waitFor()
  await page.evaluate(() => new Promise(requestAnimationFrame))
}

async function slowPage(page: Page, uploadThroughput: number): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  })
  return cdp
}

/** As the browser's own drag and drop would. */
async function dropFiles(cdp: CDPSession, files: string[]): Promise<void> {
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data })
  }
}

async function typeTitle(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Edit details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  await dialog.getByLabel('Title').fill(TYPED)
  await dialog.getByRole('button', { name: 'Done' }).click()
}

/** What the tab's title says: a percentage for as long as anything is to be sent. */
const isSending = async (page: Page) => /^\d+% · /.test(await page.title())

async function reload(page: Page): Promise<void> {
  page.once('dialog', (question) => void question.accept())
  await page.reload()
  await page.getByRole('region', { name: 'Uploads' }).waitFor()
}
