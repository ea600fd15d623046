import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '#test/support/run-command.ts'
import type { TorturePart } from '../part.ts'
import { DISK_POINTS } from '../support/full-disk-points.ts'
import { openTrial, startOnDisk, type Trial, tryPoint } from '../support/full-disk-trial.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { createSiteClient, type SiteClient } from '../support/site-client.ts'
import { type SiteProcess, startSiteProcess } from '../support/site-process.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { tidyStoppedSite } from '../support/stopped-site.ts'

const DISK_MB = 128
const ROUNDS = 1
/** The others go on in the background, and nobody waits for their answer. */
const ASKED = DISK_POINTS.filter(({ timesMax }) => timesMax > 0).length

export const part: TorturePart = {
  name: 'disk',
  description: 'a disk that is full at each kind of write, and has room again',
  async run({ folder, rounds = ROUNDS, log }) {
    const material = await makeMaterial(join(folder, 'material'))
    const disk = await mountSmallDisk(join(folder, 'disk'), DISK_MB).catch(() => undefined)
    if (!disk) {
      const skipped = 'This account may not mount a small file system.'
      return { figures: [], failures: [], skipped }
    }
    const failures: string[] = []
    let refusals = 0
    let points = 0
    try {
      const opened = await openTrial(disk, material)
      const { trial } = opened
      let { server } = opened
      for (let round = 1; round <= rounds; round++) {
        for (const point of DISK_POINTS) {
          failures.push(...(await tryPoint(trial, { point, mark: `${point.name} ${round}` })))
          points += 1
          log(`${point.name}: ${trial.counts.full} refusals, ${failures.length} failures`)
        }
        failures.push(...(await tryBackup(trial)))
        const restarted = await tryStart(trial, server)
        server = restarted.server
        failures.push(...restarted.failures)
        points += 2
        refusals = trial.counts.full
        log(`a backup, a start: ${failures.length} failures`)
      }
      await server.kill()
      failures.push(...(await tidyStoppedSite(trial.dataFolder)))
    } finally {
      await disk.unmount()
    }
    return {
      figures: [
        { what: 'points at which the disk was full', value: points, limit: 'at least 20' },
        {
          what: 'writes refused with 507 and a sentence',
          value: refusals,
          limit: `${ASKED * rounds}`,
        },
      ],
      failures,
    }
  },
}

/** A backup onto the full disk ends with a sentence and leaves nothing. */
async function tryBackup({ disk, dataFolder }: Trial): Promise<string[]> {
  const target = join(disk.folder, 'backup')
  await disk.fill(0)
  const refused = await runCommand('backup', { dataFolder, args: [target] })
  const left = (await readdir(disk.folder)).filter((name) => name.startsWith('backup'))
  await disk.clear()
  const made = await runCommand('backup', { dataFolder, args: [target] })
  const failures: string[] = []
  if (refused.code !== 1 || refused.err !== 'There is no room left on the disk.\n') {
    failures.push(`A backup ended with ${refused.code}: ${refused.err}`)
  }
  if (left.length > 0) failures.push(`A backup left ${left.join(', ')}.`)
  if (made.code !== 0)
    failures.push(`A backup with room again ended with ${made.code}: ${made.err}`)
  return failures
}

/** A server that starts on a full disk serves, or says why it does not. */
async function tryStart({ disk, site, dataFolder }: Trial, server: SiteProcess) {
  const failures: string[] = []
  await server.kill()
  await disk.fill(0)
  const full = await startSiteProcess({ dataFolder })
  const said = full.output.join('')
  if (!full.answered && !/^[A-Z][^\n]*(full|room)[^\n]*\.\n$/.test(said)) {
    failures.push(`A server on a full disk said: ${said}`)
  }
  await full.kill()
  await disk.clear()
  const next = await startOnDisk(dataFolder)
  failures.push(...(await site.ledger.check(dataFolder)))
  const moved: SiteClient = createSiteClient(next.origin)
  moved.setCookie(site.client.cookie())
  site.client = moved
  return { server: next, failures }
}
