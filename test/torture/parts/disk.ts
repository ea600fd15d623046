import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '#test/support/run-command.ts'
import type { TorturePart } from '../part.ts'
import { DISK_POINTS, type DiskPoint, type DiskSite } from '../support/full-disk-points.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { createLedger } from '../support/ledger.ts'
import { type Answer, createSiteClient, type SiteClient } from '../support/site-client.ts'
import { type SiteProcess, startSiteProcess } from '../support/site-process.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { doctorSite, tidyStoppedSite } from '../support/stopped-site.ts'
import { waitUntilFinished } from '../support/unfinished.ts'

const DISK_MB = 128
const ROUNDS = 1

type Trial = { disk: SmallDisk; site: DiskSite; dataFolder: string; counts: { full: number } }

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
    const counts = { full: 0 }
    let points = 0
    try {
      const dataFolder = join(disk.folder, 'data')
      let server = await start(dataFolder)
      const client = createSiteClient(server.origin)
      await client.register('admin')
      const site: DiskSite = { client, material, ledger: createLedger(), videoId: 0 }
      site.videoId = await addVideo(site)
      const trial = { disk, site, dataFolder, counts }
      for (let round = 1; round <= rounds; round++) {
        for (const point of DISK_POINTS) {
          failures.push(...(await tryPoint(trial, { point, mark: `${point.name} ${round}` })))
          points += 1
          log(`${point.name}: ${counts.full} refusals, ${failures.length} failures`)
        }
        failures.push(...(await tryBackup(trial)))
        const restarted = await tryStart(trial, server)
        server = restarted.server
        failures.push(...restarted.failures)
        points += 2
        log(`a backup, a start: ${failures.length} failures`)
      }
      await server.kill()
      await tidyStoppedSite(dataFolder)
      const { problems } = await doctorSite(dataFolder)
      failures.push(...problems.map(({ kind, text }) => `The doctor says: ${kind}: ${text}`))
    } finally {
      await disk.unmount()
    }
    return {
      figures: [
        { what: 'points at which the disk was full', value: points, limit: 'at least 20' },
        { what: 'writes refused with 507 and a sentence', value: counts.full },
      ],
      failures,
    }
  },
}

/** Fills the disk, tries a write until it is refused, makes room, and tries it again. */
async function tryPoint(
  { disk, site, dataFolder, counts }: Trial,
  { point, mark }: { point: DiskPoint; mark: string },
): Promise<string[]> {
  const failures: string[] = []
  const attempt = await point.prepare(site, mark)
  await disk.fill(point.freeBytes)
  let last: Answer | undefined
  for (let time = 0; time < point.timesMax; time++) {
    last = await attempt(time)
    if (!last || last.status >= 300) break
  }
  if (last && last.status >= 300) failures.push(...judgeRefusal(last))
  if (last?.status === 507) counts.full += 1
  if (!last && point.timesMax > 0) failures.push('There was no answer.')
  failures.push(...(await readOn(site)))
  failures.push(...(await site.ledger.check(dataFolder)))
  await disk.clear()
  const again = await attempt(point.timesMax)
  if (!again || again.status >= 300) {
    failures.push(`With room again it answered ${again?.status} ${again?.text.slice(0, 150)}`)
  }
  failures.push(...(await waitUntilFinished(dataFolder)))
  failures.push(...(await site.ledger.check(dataFolder)))
  const { problems } = await doctorSite(dataFolder)
  const real = problems.filter(({ kind }) => kind !== 'orphaned')
  failures.push(...real.map(({ kind, text }) => `The doctor says: ${kind}: ${text}`))
  return failures.map((text) => `${point.name}: ${text}`)
}

function judgeRefusal({ status, text }: Answer): string[] {
  const sentence = text.startsWith('{') ? JSON.parse(text).error?.message : text
  if (status === 507 && /^[A-Z].*room.*\.$/.test(sentence)) return []
  return [`On the full disk it answered ${status} ${text.slice(0, 150)}`]
}

/** What visitors ask for while the disk is full. */
async function readOn({ client, videoId }: DiskSite): Promise<string[]> {
  const video = await client.get(`/api/videos/${videoId}`)
  const address = video?.json<{ videoUrl: string }>().videoUrl ?? ''
  const failures: string[] = []
  for (const path of ['/', '/api/videos', `/api/videos/${videoId}/comments`, address]) {
    const answer = await client.get(path)
    if (answer?.status !== 200) failures.push(`Reading ${path} answered ${answer?.status}.`)
  }
  return failures
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
  const next = await start(dataFolder)
  failures.push(...(await site.ledger.check(dataFolder)))
  const moved: SiteClient = createSiteClient(next.origin)
  moved.setCookie(site.client.cookie())
  site.client = moved
  return { server: next, failures }
}

async function start(dataFolder: string): Promise<SiteProcess> {
  const server = await startSiteProcess({ dataFolder })
  if (!server.answered) throw new Error(`It did not start: ${server.output.join('')}`)
  return server
}

async function addVideo({ client, material, ledger }: DiskSite): Promise<number> {
  const opened = await client.initialize({ title: 'Always there', size: material.clip.length })
  const { uploadId } = opened?.json<{ uploadId: string }>() ?? { uploadId: '' }
  for (const index of [0, 1]) await client.chunk(uploadId, index, material.clip)
  const completed = await client.complete(uploadId)
  const { videoId } = completed?.json<{ videoId: number }>() ?? { videoId: 0 }
  ledger.video(videoId, 'Always there')
  return videoId
}
