import { join } from 'node:path'
import type { DiskPoint, DiskSite } from './full-disk-points.ts'
import type { Material } from './kill-scenes.ts'
import { createLedger } from './ledger.ts'
import { type Answer, createSiteClient } from './site-client.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'
import type { SmallDisk } from './small-disk.ts'
import { doctorSite } from './stopped-site.ts'
import { waitUntilFinished } from './unfinished.ts'

export type Trial = {
  disk: SmallDisk
  site: DiskSite
  dataFolder: string
  /** How many writes were refused as they should be. */
  counts: { full: number }
}

/** A site on a small disk, with one member and one video that is always there. */
export async function openTrial(
  disk: SmallDisk,
  material: Material,
): Promise<{ trial: Trial; server: SiteProcess }> {
  const dataFolder = join(disk.folder, 'data')
  const server = await startOnDisk(dataFolder)
  const client = createSiteClient(server.origin)
  await client.register('admin', await server.setupCode())
  const site: DiskSite = { client, material, ledger: createLedger(), videoId: 0 }
  site.videoId = await addVideo(site)
  // Its work would wait a minute for room.
  await waitUntilFinished(dataFolder)
  return { trial: { disk, site, dataFolder, counts: { full: 0 } }, server }
}

/** Fills the disk, tries a write until it is refused, makes room, and tries it again. */
export async function tryPoint(
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
  if (last) failures.push(...judgeRefusal(last))
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
  if (status < 300) return ['It found room on the full disk as often as it was tried.']
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

export async function startOnDisk(dataFolder: string): Promise<SiteProcess> {
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
