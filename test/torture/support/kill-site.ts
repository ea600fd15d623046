import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failpoint } from '#server/platform/failpoints.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { makeClip } from '#test/support/clips.ts'
import { makePng } from '#test/support/png.ts'
import { type Material, sceneOf, type Visit } from './kill-scenes.ts'
import { createLedger } from './ledger.ts'
import { createSiteClient } from './site-client.ts'
import { startSiteProcess } from './site-process.ts'
import { tidyStoppedSite } from './stopped-site.ts'
import type { Variables } from './tried-site.ts'
import { waitUntilFinished } from './unfinished.ts'

const TINY = { width: 256, height: 144, seconds: 2, frameRate: 10 }
/** From the kill's point of view forever: a step that is not come to by then never is. */
const STEP_TIMEOUT_MS = 120_000

export type Cycle = { failures: string[]; startSeconds: number }

/** Small files of each kind that a member sends. @param folder is made */
export async function makeMaterial(folder: string, recording = TINY): Promise<Material> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'clip.mp4')
  await makeClip({ path, ...recording, audioTracks: 2 })
  // Bytes that FFmpeg ignores make the clip two chunks long.
  const padding = Buffer.alloc(UPLOAD_CHUNK_BYTES + 1000)
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  const clip = Buffer.concat([await readFile(path), padding])
  const avi = join(folder, 'clip.avi')
  await makeClip({
    path: avi,
    ...recording,
    container: 'avi',
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
  })
  const needsTranscode = await readFile(avi)
  return { clip, needsTranscode, pictures: [makePng(64, 36), makePng(64, 36, [9, 9, 200])] }
}

export type KillSite = ReturnType<typeof openKillSite>

/** A site whose servers are killed one after the other, and the books on what they acknowledged. */
export function openKillSite(input: { dataFolder: string; env?: Variables; material: Material }) {
  const { dataFolder, env = {}, material } = input
  const ledger = createLedger()
  let visits = 0

  async function newVisit(origin: string, failures: string[]): Promise<Visit> {
    visits += 1
    const client = createSiteClient(origin)
    const name = `visitor-${Date.now().toString(36)}-${visits}`
    const id = await client.register(name)
    if (id === undefined) throw new Error('Nobody could register.')
    ledger.member(id)
    const list = await client.get('/api/videos?limit=1')
    const [video] = list?.json<{ id: number }[]>() ?? []
    const member = { id, name }
    return { client, ledger, material, member, otherVideo: video?.id ?? 0, failures }
  }

  /** Starts the server again, lets it finish, kills it, lets the janitor work, and looks at everything. */
  async function recover(work: (origin: string) => Promise<void>): Promise<Cycle> {
    const failures: string[] = []
    const server = await startSiteProcess({ dataFolder, env })
    if (!server.answered) {
      const said = server.output.join('').trim()
      return { failures: [`It did not start again: ${said}`], startSeconds: server.startSeconds }
    }
    try {
      await work(server.origin)
      failures.push(...(await waitUntilFinished(dataFolder, env)))
    } finally {
      await server.kill()
    }
    failures.push(...(await tidyStoppedSite(dataFolder, env)))
    failures.push(...(await ledger.check(dataFolder, env)))
    return { failures, startSeconds: server.startSeconds }
  }

  /** Kills a server at a step, the `times`-th time it comes there. */
  async function killAt(step: Failpoint, times = 1): Promise<Cycle> {
    const scene = sceneOf(step)
    if (!scene) throw new Error(`${step} is not a step of a running server.`)
    const failures: string[] = []
    const server = await startSiteProcess({
      dataFolder,
      env: { ...env, CLUTCH_STOP_AT: `${step}:${times}` },
    })
    if (!server.answered) throw new Error(`It did not start:\n${server.output.join('')}`)
    const patience = setTimeout(() => server.kill('SIGTERM'), STEP_TIMEOUT_MS)
    const visit = await newVisit(server.origin, failures)
      .then(async (opened) => {
        await scene.act(opened)
        await server.exited
        return opened
      })
      .finally(() => {
        clearTimeout(patience)
        return server.kill()
      })
    if (server.signal() !== 'SIGKILL') failures.push('The step was never come to.')
    const cycle = await recover(async (origin) => {
      const { client } = visit
      const again = createSiteClient(origin)
      await again.logIn(visit.member.name)
      Object.assign(client, again)
      await scene.again(visit)
    })
    return { ...cycle, failures: [...failures, ...cycle.failures] }
  }

  return { dataFolder, env, ledger, newVisit, recover, killAt }
}
