import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { longTest } from '#test/support/long-form.ts'
import { makeMaterial } from '#test/torture/support/kill-site.ts'
import { killAtRandom } from '#test/torture/support/random-kills.ts'
import { seedFolder } from '#test/torture/support/seeded-folder.ts'

// A hundred times on a large site: npm run torture -- --only random-kill

longTest(
  'a server killed in the middle of its work loses nothing that it acknowledged',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clutch-random-kill-'))
    try {
      const dataFolder = join(folder, 'data')
      await seedFolder(dataFolder, { users: 5, videos: 40, comments: 40 })
      const material = await makeMaterial(join(folder, 'material'))
      const order = { dataFolder, material, seed: 1, kills: 1, doctorEvery: 1 }
      const { failures, acts, acknowledged } = await killAtRandom(order)
      expect(failures).toEqual([])
      expect(acts).toBeGreaterThan(0)
      expect(acknowledged).toBeGreaterThan(0)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
  240_000,
)
