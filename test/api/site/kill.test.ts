import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readFailpoint } from '#server/platform/config.ts'
import { longTest } from '#test/support/long-form.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { killCommandAt } from '#test/torture/support/kill-commands.ts'
import { type KillSite, makeMaterial, openKillSite } from '#test/torture/support/kill-site.ts'
import { startSiteProcess } from '#test/torture/support/site-process.ts'

const folder = setUpFolder('kill')
let site: KillSite
beforeAll(async () => {
  const material = await makeMaterial(join(folder, 'material'))
  site = openKillSite({ dataFolder: join(folder, 'data'), material })
}, 120_000)

// Every step of all: npm run torture -- --only kill

test('a server killed while it completes an upload loses nothing that it acknowledged', async () => {
  const { failures } = await site.killAt('complete.moved')
  expect(failures).toEqual([])
}, 240_000)

longTest(
  'a server killed while it prepares what it knows of a member prepares it anew',
  async () => {
    const { failures } = await site.killAt('data-export.section-written')
    expect(failures).toEqual([])
  },
  240_000,
)

test('a restore that is killed can be done again', async () => {
  const work = join(folder, 'work')
  const { failures } = await killCommandAt('restore.media-moved', { site, folder: work })
  expect(failures).toEqual([])
}, 240_000)

test('a server does not start on half a restore, and says what to do', async () => {
  const dataFolder = join(folder, 'half')
  await mkdir(join(dataFolder, 'restore.partial'), { recursive: true })
  const server = await startSiteProcess({ dataFolder })
  expect([server.answered, server.exitCode(), server.output.join('')]).toEqual([
    false,
    1,
    'A restore into DATA_DIR was interrupted. Run npm run restore again, or empty the folder.\n',
  ])
}, 60_000)

test('a step that there is none of is refused when the process starts', () => {
  const read = (value?: string) => readFailpoint(['a.b'], { CLUTCH_STOP_AT: value })
  expect(read()).toBeUndefined()
  expect(read('a.b')).toEqual({ step: 'a.b', times: 1, isPause: false })
  expect(read('a.b:12')).toEqual({ step: 'a.b', times: 12, isPause: false })
  expect(read('a.b:1:pause')).toEqual({ step: 'a.b', times: 1, isPause: true })
  for (const wrong of ['a.c', 'a.b:0', 'a.b:1:2'])
    expect(() => read(wrong)).toThrow(/CLUTCH_STOP_AT/)
})
