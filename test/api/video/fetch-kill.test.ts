import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { makeClip } from '#test/support/clips.ts'
import { serveBytes, startFileServer } from '#test/support/file-server.ts'
import { quickCases } from '#test/support/long-form.ts'
import { addRow, listRows } from '#test/support/rows.ts'
import { startServer } from '#test/support/server-process.ts'
import { addMember, writeRows } from '#test/support/site-rows.ts'

const MB = 1024 ** 2

const STEPS: [step: string][] = [
  ['fetch.noted'],
  ['upload.folder-made'],
  ['upload.row-inserted'],
  ['chunk.written:2'],
  ['chunk.recorded:2'],
  ['complete.begun'],
  ['complete.prepared'],
  ['complete.publishing'],
  ['complete.published'],
  ['fetch.published'],
]
const cases = quickCases(STEPS, ['chunk.recorded:2', 'fetch.published'])

test('a site that is killed while it fetches a file continues, and publishes it once', async () => {
  const root = await mkdtemp(join(tmpdir(), 'clutch-fetch-kill-'))
  const path = join(root, 'clip.mp4')
  await makeClip({ path, seconds: 1 })
  const box = Buffer.alloc(5 * MB, 7)
  box.writeUInt32BE(box.length)
  box.write('free', 4)
  const bytes = Buffer.concat([await readFile(path), box])
  const files = await startFileServer({ '/clip.mp4': serveBytes(bytes) })
  const dataFolder = join(root, 'data')
  const env = { LOCAL_HOSTS: '127.0.0.1', RENDITIONS: '144' }
  let server = await startServer({ dataFolder, env })
  try {
    const userId = await writeRows(server, (db) => addMember(db, 'Ann'))
    await server.stop()
    for (const [index, [step]] of cases.entries()) {
      await writeRows({ dataFolder }, async (db) => {
        await db.updateTable('siteSettings').set({ fetchesAddresses: 1 }).execute()
        await db.updateTable('users').set({ isAdmin: 1 }).execute()
        const details = { title: step, description: '', category: 'Other', tags: [] }
        const now = timestamp()
        await addRow(db, 'fetches', {
          ...{ userId, url: `${files.origin}/clip.mp4`, fileName: 'clip.mp4', allowsSame: 1 },
          ...{ size: bytes.length, runAfter: now, createdAt: now },
          details: JSON.stringify({
            ...details,
            visibility: null,
            squadId: null,
            participants: [],
          }),
        })
      })
      files.asked.length = 0
      // It may die before its first answer.
      await startServer({ dataFolder, env: { ...env, CLUTCH_STOP_AT: step } }).then(
        ({ origin }) => untilDead(origin),
        () => undefined,
      )
      server = await startServer({ dataFolder, env })
      const read = () => writeRows(server, (db) => listRows(db, 'fetches', { state: 'done' }))
      await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBe(index + 1)
      await server.stop()
      if (step === 'chunk.recorded:2') {
        expect(files.asked.map(({ headers }) => headers.range)).toEqual([
          ...[undefined, `bytes=${4 * MB}-`],
        ])
      }
      const videos = await writeRows({ dataFolder }, (db) => listRows(db, 'videos'))
      expect(videos.map(({ title }) => title)).toEqual(cases.slice(0, index + 1).flat())
      expect(await readdir(join(dataFolder, 'uploads')), step).toEqual([])
    }
  } finally {
    await server.stop('SIGKILL')
    await files.stop()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
}, 300_000)

function untilDead(origin: string): Promise<void> {
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    )
  return expect.poll(answers, { timeout: 20_000 }).toBe(false)
}
