import { appendFile, copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { listRows } from '#test/support/rows.ts'
import { startServer } from '#test/support/server-process.ts'
import { PUBLISH_ALL } from '#test/support/set-up-inbox.ts'
import { writeRows } from '#test/support/site-rows.ts'

const KILLS = 20
const FILES = 12
const SLOW_BYTES = 60 * 1024 * 1024

const ORIGINALS = ['copy', 'link'] as const

test.each(ORIGINALS)(
  'a site killed 20 times at random publishes each recording once, by %s',
  async (originals) => {
    const root = await mkdtemp(join(tmpdir(), 'clutch-inbox-kill-'))
    const folder = join(root, 'clips')
    await mkdir(folder)
    const dataFolder = join(root, 'data')
    const env = { INBOX: folder, INBOX_SECONDS: '1', RENDITIONS: '144' }
    let server = await startServer({ dataFolder, env })
    try {
      const code = await server.setupCode()
      await fetch(`${server.origin}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          username: 'admin',
          email: 'admin@example.org',
          displayName: 'The admin',
          password: 'a password for tests',
          setupCode: code,
        }),
      })
      await server.stop()
      await writeRows({ dataFolder }, async (db) => {
        const rules = JSON.stringify([{ ...PUBLISH_ALL, username: 'admin' }])
        await db.updateTable('inboxSettings').set({ rules, originals }).execute()
      })
      const clip = join(root, 'clip.mp4')
      await makeClip({ path: clip, seconds: 2, width: 256, height: 144, frameRate: 10 })
      const names = Array.from({ length: FILES }, (_, index) => `clip ${index}.mp4`)
      const copying = (async () => {
        for (const [index, name] of names.entries()) {
          await copyFile(clip, join(root, name))
          await appendFile(join(root, name), freeBox(1000 + index))
          await rename(join(root, name), join(folder, name))
          await pause(2000)
        }
      })()
      const slow = (async () => {
        const bytes = Buffer.concat([await readFile(clip), freeBox(SLOW_BYTES)])
        for (let at = 0; at < bytes.length; at += 1024 * 1024) {
          await appendFile(join(folder, 'slow.mp4'), bytes.subarray(at, at + 1024 * 1024))
          await pause(1000)
        }
      })()
      for (let kill = 0; kill < KILLS; kill += 1) {
        server = await startServer({ dataFolder, env })
        await pause(Math.random() * 5000)
        await server.stop('SIGKILL')
      }
      await Promise.all([copying, slow])
      const before = await readAll(folder, [...names, 'slow.mp4'])
      server = await startServer({ dataFolder, env })
      const titles = () =>
        writeRows({ dataFolder }, async (db) =>
          (await listRows(db, 'videos')).map(({ title }) => title).sort(),
        )
      const expected = [...names.map((name) => name.slice(0, -4)), 'slow'].sort()
      await expect.poll(titles, { timeout: 120_000, interval: 1000 }).toEqual(expected)
      await pause(8000)
      expect(await titles()).toEqual(expected)
      expect(await readAll(folder, [...names, 'slow.mp4'])).toEqual(before)
    } finally {
      await server.stop('SIGKILL')
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    }
  },
  600_000,
)

/** A box that players ignore. */
function freeBox(length: number): Buffer {
  const box = Buffer.alloc(length, 7)
  box.writeUInt32BE(length)
  box.write('free', 4)
  return box
}

const readAll = (folder: string, names: string[]) =>
  Promise.all(names.map((name) => readFile(join(folder, name))))
