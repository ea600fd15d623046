import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '#test/support/server-process.ts'
import { checkSiteWhole } from '#test/torture/check-site.ts'
import { tryHostileMedia } from '#test/torture/media/try-media.ts'

// The long form, with every file and every name: npm run torture -- --only media

test('hostile files are refused or made harmless, reach nothing, and leave nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-hostile-'))
  const server = await startServer({ env: { RENDITIONS: '240', LOG_LEVEL: 'error' } })
  try {
    const { failures } = await tryHostileMedia(server, { seed: 1, folder, isQuick: true })
    expect(failures).toEqual([])
    expect(await checkSiteWhole(server.dataFolder)).toEqual([])
  } finally {
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
}, 600_000)
