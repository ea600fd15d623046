import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startServer } from '#test/support/server-process.ts'
import { until } from '#test/support/until.ts'
import { sendVideo } from '#test/torture/send-video.ts'

let folder: string
let dataFolder: string
let umask: number

beforeEach(async () => {
  umask = process.umask(0o022)
  folder = await mkdtemp(join(tmpdir(), 'clutch-modes-'))
  dataFolder = join(folder, 'data')
  // As an older version left it.
  await mkdir(join(dataFolder, 'media', 'old'), { recursive: true })
  await writeFile(join(dataFolder, 'media', 'old', 'video.mp4'), 'A video.')
  await mkdir(join(dataFolder, 'backups', 'old', 'media'), { recursive: true })
  await writeFile(join(dataFolder, 'backups', 'old', 'clutch.db'), 'A database.')
})
afterEach(async () => {
  process.umask(umask)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The modes below a folder and its own, each by its path; '.' is the folder. */
async function listModes(top: string): Promise<Map<string, string>> {
  const names = ['.', ...(await readdir(top, { recursive: true }))]
  const modes = new Map<string, string>()
  for (const name of names) {
    const found = await lstat(join(top, name)).catch(() => undefined)
    if (!found) continue
    modes.set(name, `${found.isDirectory() ? 'd' : 'f'}${(found.mode & 0o777).toString(8)}`)
  }
  return modes
}

const othersThan = (modes: Map<string, string>, wanted: string[]) =>
  [...modes].filter(([, mode]) => !wanted.includes(mode))

/** A site on which a user uploaded a clip, all of it prepared. */
async function openSite(env: Record<string, string> = {}) {
  const server = await startServer({ dataFolder, env })
  const account = { username: 'ann', displayName: 'Ann', password: 'correct horse' }
  const registered = await fetch(`${server.origin}/api/register`, {
    method: 'POST',
    body: JSON.stringify({ ...account, email: 'ann@example.org' }),
    headers: { 'content-type': 'application/json' },
  })
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const path = join(folder, 'clip.mp4')
  await makeClip({ path, seconds: 1 })
  const uploader = { origin: server.origin, headers: { cookie } }
  const sent = await sendVideo(uploader, { name: 'clip.mp4', bytes: await readFile(path) })
  const { videoId } = JSON.parse(sent.text)
  const isPrepared = async () => {
    const url = `/trpc/video.processingStatus?input=${encodeURIComponent(JSON.stringify({ id: videoId }))}`
    const answer = await fetch(server.origin + url, { headers: { cookie } })
    return JSON.stringify(await answer.json()).includes('"ladder":{"state":"done"')
  }
  await until(isPrepared, { timeoutMs: 100_000 })
  return server
}

test.skipIf(process.platform === 'win32')(
  'nobody else on the machine can read anything of a site, its older files and backups included',
  async () => {
    const server = await openSite()
    await until(async () => {
      // A job may just remove its folder.
      const modes = await listModes(dataFolder).catch(() => undefined)
      return modes !== undefined && othersThan(modes, ['d700', 'f600']).length === 0
    })
    expect([...(await listModes(dataFolder)).keys()]).toEqual(
      expect.arrayContaining([
        'clutch.db',
        'clutch.db-wal',
        'clutch.db-shm',
        'media/old/video.mp4',
      ]),
    )
    const target = join(folder, 'snapshot')
    const { code } = await runCommand('backup', { dataFolder, args: [target] })
    expect(code).toBe(0)
    expect(othersThan(await listModes(target), ['d700', 'f600'])).toEqual([])
    await server.stop()
    const restored = join(folder, 'restored')
    await mkdir(restored)
    expect((await runCommand('restore', { dataFolder: restored, args: [target] })).code).toBe(0)
    expect(othersThan(await listModes(restored), ['d700', 'f600'])).toEqual([])
  },
  180_000,
)

test.runIf(isLongForm && process.platform !== 'win32')(
  'with X_ACCEL_PREFIX the group can read the media, and nothing else',
  async () => {
    const server = await openSite({ X_ACCEL_PREFIX: '/_media' })
    const media = join(dataFolder, 'media')
    await until(async () => othersThan(await listModes(media), ['d750', 'f640']).length === 0)
    const modes = await listModes(dataFolder)
    expect(modes.get('.')).toBe('d710')
    for (const name of ['uploads', 'work', 'backups']) expect(modes.get(name)).toBe('d700')
    const files = [...modes].filter(([name]) => /^[\w.-]+$/.test(name) && name.includes('clutch.'))
    expect(othersThan(new Map(files), ['f600'])).toEqual([])
    const backups = join(dataFolder, 'backups')
    await until(async () => othersThan(await listModes(backups), ['d700', 'f600']).length === 0)
    await server.stop()
    // The folder closes again when the site sends the files itself.
    await chmod(media, 0o755)
    const closed = await startServer({ dataFolder })
    await until(async () => othersThan(await listModes(media), ['d700', 'f600']).length === 0)
    await closed.stop()
  },
  180_000,
)
