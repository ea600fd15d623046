import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runCommand } from '#test/support/run-command.ts'
import { createRandom } from '#tools/seed/random.ts'
import type { TorturePart } from '../part.ts'
import { compareRestored } from '../support/compare-restored.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { createLedger } from '../support/ledger.ts'
import { createLoadMemory, type LoadMember, startMixedLoad } from '../support/mixed-load.ts'
import { createSiteClient, resultOf, type SiteClient } from '../support/site-client.ts'
import { startSiteProcess } from '../support/site-process.ts'

const BACKUPS = 20
const DAMAGES_EACH = 3
const MEMBERS = 3
const CALM_MS = 1500
const TIMEOUT_MS = 300_000

type Random = ReturnType<typeof createRandom>

export const part: TorturePart = {
  name: 'backup',
  description:
    'backups under load, each restored and compared; damaged ones are refused with a sentence',
  async run({ folder, rounds = BACKUPS, seed, log }) {
    const dataFolder = join(folder, 'data')
    const material = await makeMaterial(join(folder, 'material'))
    const ledger = createLedger()
    const memory = createLoadMemory(seed)
    const random = createRandom(seed, 'backup')
    const failures: string[] = []
    const server = await startSiteProcess({ dataFolder, env: { PROCESSING_JOBS: '2' } })
    if (!server.answered) throw new Error(server.output.join(''))
    const admin = createSiteClient(server.origin)
    await admin.register('admin', await server.setupCode())
    const members = await addMembers(server.origin)
    const others = await Promise.all(
      [1, 2, 3].map((mark) => addVideo(admin, material.clip, `Old ${mark}`)),
    )
    const stopLoad = startMixedLoad({ members, others, material, ledger, memory })
    let rows = 0
    let files = 0
    let last = ''
    for (let round = 1; round <= rounds; round++) {
      await pause(random.integer(0, CALM_MS))
      const books = ledger.copy()
      last = join(folder, `backup-${round}`)
      const made = await (round % 2 === 0
        ? downloadBackup(admin, { folder: last, work: join(folder, 'tar') })
        : runCommand('backup', { dataFolder, args: [last] }).then(
            ({ code, err }) => code === 0 || err,
          ))
      const stillSo = books.whatStillHolds()
      const restored = join(folder, 'restored')
      const found =
        made === true ? await compareRestored({ folder: last, restored }) : [`It failed: ${made}`]
      failures.push(
        ...[...(Array.isArray(found) ? found : found.problems)].map(
          (text) => `backup ${round}: ${text}`,
        ),
      )
      if (!Array.isArray(found)) {
        rows += found.rows
        files += found.files
        failures.push(...(await stillSo.check(restored)).map((text) => `backup ${round}: ${text}`))
      }
      await rm(restored, { recursive: true, force: true })
      if (round < rounds) await rm(last, { recursive: true, force: true })
      log(`backup ${round}: ${files} files and ${rows} rows compared, ${failures.length} failures`)
    }
    await stopLoad()
    await server.kill('SIGTERM')
    failures.push(...memory.unplanned)
    const refused = await refuseDamaged(last, { folder: join(folder, 'damaged'), random })
    failures.push(...refused.failures)
    return {
      figures: [
        { what: 'backups under load, restored and compared', value: rounds },
        { what: 'acts of members meanwhile', value: memory.acts },
        { what: 'rows compared', value: rows },
        { what: 'files compared by hash', value: files },
        { what: 'damaged backups refused', value: refused.count },
      ],
      failures,
    }
  },
}

async function addMembers(origin: string): Promise<LoadMember[]> {
  const members: LoadMember[] = []
  for (let index = 1; index <= MEMBERS; index++) {
    const client = createSiteClient(origin)
    members.push({ client, id: (await client.register(`busy-${index}`)) ?? 0 })
  }
  return members
}

async function addVideo(client: SiteClient, bytes: Buffer, title: string): Promise<number> {
  const opened = await client.initialize({ title, size: bytes.length })
  const { uploadId } = opened?.json<{ uploadId: string }>() ?? { uploadId: '' }
  for (const index of [0, 1]) await client.chunk(uploadId, index, bytes)
  const completed = await client.complete(uploadId)
  return completed?.json<{ videoId: number }>().videoId ?? 0
}

/** As an admin gets it: made by the site, downloaded as one archive, unpacked. @returns true or why not */
async function downloadBackup(
  admin: SiteClient,
  { folder, work }: { folder: string; work: string },
): Promise<true | string> {
  const begun = await admin.call('backup.start')
  if (begun?.status !== 200) return `It answered ${begun?.status} ${begun?.text}`
  const { id } = resultOf<{ id: number }>(begun)
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const list = await admin.get(`/trpc/backup.list?input=${encodeURIComponent('{"limit":1}')}`)
    const [newest] = list ? resultOf<{ items: { state: string; error: string }[] }>(list).items : []
    if (newest?.state === 'done') break
    if (newest?.state === 'failed' || performance.now() > deadline) return newest?.error ?? 'Stuck.'
    await pause(100)
  }
  await admin.confirmPassword()
  const response = await fetch(`${admin.origin}/api/backups/${id}/download`, {
    headers: { cookie: admin.cookie() },
  })
  await mkdir(work, { recursive: true })
  const archive = join(work, 'backup.tar')
  await writeFile(archive, Buffer.from(await response.arrayBuffer()))
  await promisify(execFile)('tar', ['-xf', archive, '-C', work])
  await rm(archive)
  const [name = ''] = await readdir(work)
  await cp(join(work, name), folder, { recursive: true })
  await rm(work, { recursive: true, force: true })
  await admin.call('backup.delete', { id })
  return true
}

/** Whatever is wrong with a backup, nothing of it is put back. */
async function refuseDamaged(
  backup: string,
  { folder, random }: { folder: string; random: Random },
): Promise<{ count: number; failures: string[] }> {
  const failures: string[] = []
  let count = 0
  for (const [name, harm] of Object.entries(damagesOf(random))) {
    for (let time = 1; time <= DAMAGES_EACH; time++) {
      await rm(folder, { recursive: true, force: true })
      const copy = join(folder, 'copy')
      await cp(backup, copy, { recursive: true })
      const target = (await harm(copy)) ?? copy
      const dataFolder = join(folder, 'data')
      const { code, out, err } = await runCommand('restore', { dataFolder, args: [target] })
      const left = (await readdir(dataFolder).catch(() => [])).filter(
        (one) => !one.endsWith('.lock'),
      )
      const isSentence = /^[A-Z/].*\.\n$/.test(err) && !/\n\s+at /.test(err)
      if (code === 1 && out === '' && left.length === 0 && isSentence) count += 1
      else failures.push(`${name}: ended with ${code}, left ${left.join(', ')}, said: ${out}${err}`)
    }
  }
  return { count, failures }
}

function damagesOf(
  random: Random,
): Record<string, (backup: string) => Promise<string | undefined>> {
  const anyMedia = async (backup: string) => {
    const all = await readdir(join(backup, 'media'), { recursive: true, withFileTypes: true })
    const { parentPath, name } = random.pick(all.filter((entry) => entry.isFile()))
    return join(parentPath, name)
  }
  const flipBit = async (path: string) => {
    const bytes = await readFile(path)
    const at = random.integer(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7))
    await writeFile(path, bytes)
    return undefined
  }
  const cut = async (path: string) => {
    await truncate(path, random.integer(0, (await readFile(path)).length - 1))
    return undefined
  }
  const remove = async (path: string) => {
    await rm(path)
    return undefined
  }
  const each = (name: string, path: (backup: string) => Promise<string>) => ({
    [`a bit of ${name} flipped`]: async (backup: string) => flipBit(await path(backup)),
    [`${name} cut short`]: async (backup: string) => cut(await path(backup)),
    [`${name} missing`]: async (backup: string) => remove(await path(backup)),
  })
  return {
    ...each('the database', async (backup) => join(backup, 'clutch.db')),
    ...each('a media file', anyMedia),
    ...each('the manifest', async (backup) => join(backup, 'manifest.json')),
    'another site’s archive, unpacked': async (backup) => {
      await rm(backup, { recursive: true })
      await mkdir(join(backup, 'photos'), { recursive: true })
      await writeFile(join(backup, 'photos', 'beach.jpg'), 'jpeg')
      return undefined
    },
    'an archive that is not unpacked': async (backup) => {
      await promisify(execFile)('tar', ['-cf', `${backup}.tar`, '-C', backup, '.'])
      return `${backup}.tar`
    },
  }
}
