import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { longTest } from '#test/support/long-form.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { initialize, sendChunk } from '#test/support/upload-client.ts'
import { DISK_POINTS } from '#test/torture/support/full-disk-points.ts'
import { openTrial, tryPoint } from '#test/torture/support/full-disk-trial.ts'
import { makeMaterial } from '#test/torture/support/kill-site.ts'
import { mountSmallDisk } from '#test/torture/support/small-disk.ts'

const site = setUpTestSite()

const register = (username: string) =>
  site.post('/api/register', {
    payload: {
      username,
      email: `${username}@example.org`,
      displayName: 'x'.repeat(50),
      password: 'correct horse',
    },
  })

test('a write that finds no room is a 507, reading goes on, and room makes it work again', async () => {
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(site.db)
  await sql.raw(`PRAGMA max_page_count = ${rows[0]?.page_count ?? 1}`).execute(site.db)
  const answers: number[] = []
  for (let index = 0; index < 200 && answers.at(-1) !== 507; index++) {
    const answer = await register(`member${index}`)
    answers.push(answer.statusCode)
    if (answer.statusCode === 507) expect(answer.body).toMatch(/no room/)
  }
  expect(new Set(answers)).toEqual(new Set([201, 507]))
  expect((await site.get('/api/videos')).statusCode).toBe(200)
  await sql.raw('PRAGMA max_page_count = 1073741823').execute(site.db)
  expect((await register('later')).statusCode).toBe(201)
})

test.each([
  ['short', 1000],
  ['whole', UPLOAD_CHUNK_BYTES],
])(
  'a %s chunk that the disk does not confirm is a 507, and counts only when it is sent again',
  async (kind, size) => {
    const as = await site.addMember(`unlucky-${kind}`)
    const bytes = Buffer.alloc(size, 7)
    const { uploadId } = (await initialize({ site, as }, { size: bytes.length })).json()
    const send = () => sendChunk({ site, as }, { uploadId, chunkIndex: 0, totalChunks: 1, bytes })
    const file = await open(join(site.dataFolder, 'clutch.db'))
    const failure = Object.assign(new Error('EIO: i/o error'), {
      code: 'EIO',
      syscall: 'fdatasync',
    })
    // No disk breaks when it is sent to.
    const sync = vi.spyOn(Object.getPrototypeOf(file), 'datasync').mockRejectedValue(failure)
    const refused = await send()
    sync.mockRestore()
    await file.close()
    expect([refused.statusCode, refused.body]).toEqual([
      507,
      expect.stringContaining('could not write to its disk'),
    ])
    const uploads = await site.db.selectFrom('uploadChunks').selectAll().execute()
    expect(uploads.filter((chunk) => chunk.uploadId === uploadId)).toEqual([])
    expect((await send()).statusCode).toBe(200)
  },
)

// A completion waits a minute for room: npm run torture -- --only disk
const POINTS = ['a chunk', 'a thumbnail', 'an avatar']

longTest(
  'a full disk loses nothing, wherever it is met',
  async ({ skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clutch-disk-'))
    const disk = await mountSmallDisk(join(folder, 'disk'), 96).catch(() => undefined)
    if (!disk) return skip('This account may not mount a small file system.')
    const { trial, server } = await openTrial(disk, await makeMaterial(join(folder, 'material')))
    try {
      for (const point of DISK_POINTS.filter(({ name }) => POINTS.includes(name))) {
        expect(await tryPoint(trial, { point, mark: point.name })).toEqual([])
      }
      expect(trial.counts.full).toBe(POINTS.length)
    } finally {
      await server.kill()
      await disk.unmount()
      await rm(folder, { recursive: true, force: true })
    }
  },
  240_000,
)
