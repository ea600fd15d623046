import { randomBytes } from 'node:crypto'
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { register } from '#test/support/site-member.ts'
import { until } from '#test/support/until.ts'
import { downloadUploader, openConfirmed, signIn, type Uploader } from '#test/support/uploader.ts'

const MB = 1024 * 1024
const folder = setUpFolder('uploader')

let server: ServerProcess
let uploader: Uploader
let ann: Awaited<ReturnType<typeof openConfirmed>>
let clip: Buffer

beforeAll(async () => {
  server = await startServer({ env: { RENDITIONS: '144' } })
  await register(server.origin, 'ann')
  ann = await openConfirmed(server.origin, 'ann')
  uploader = await downloadUploader({ origin: server.origin, folder })
  clip = await readFile(await makeClip({ path: join(folder, 'clip.bin'), seconds: 1 }))
})
afterAll(async () => {
  uploader.stop()
  await server.remove()
})

/** Returns a playable file of this size with unique content. */
function recordingOf(bytes: number): Buffer {
  const box = randomBytes(bytes - clip.length)
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4, 'latin1')
  return Buffer.concat([clip, box])
}

const listTitles = async (): Promise<string[]> => {
  const videos: { title: string }[] = await ann.read('/api/users/1/videos')
  return videos.map(({ title }) => title).sort()
}

const countChunks = async () => {
  const [upload]: { chunksStored: number }[] = await ann.read('/api/uploads')
  return upload?.chunksStored ?? 0
}

const tokenPath = async () => {
  const [site = ''] = await readdir(join(folder, 'clutch'))
  return join(folder, 'clutch', site, 'token.json')
}

test('the program has the address of the site that serves it', async () => {
  const { answer } = uploader
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const text = await readFile(join(folder, 'clutch.mjs'), 'utf8')
  expect(text).toContain(`const SITE = "${server.origin}"\n`)
})

test('it signs in by a code, and uploads each recording of a folder through a restart of the site', async () => {
  const signedIn = await signIn(uploader, ann)
  const sentence = `uploads as ann to ${server.origin}.`
  expect([signedIn.code, signedIn.err]).toEqual([0, expect.stringContaining(sentence)])
  expect((await stat(await tokenPath())).mode & 0o777).toBe(0o600)

  const watched = join(folder, 'Clips')
  await mkdir(watched)
  await writeFile(join(watched, 'old.mp4'), recordingOf(MB))
  const watch = uploader.start(['watch', watched, '--every', '0.1', '--limit', '40M'])
  await until(() => watch.texts.err.includes('Watching'))
  await writeFile(join(watched, 'bad.mp4'), 'not a video')
  const path = join(watched, 'Rust 2025.05.01 - 22.48.17.03.mp4')
  await writeFile(path, recordingOf(8 * MB))
  await until(async () => (await countChunks()) >= 1)
  await server.stop('SIGKILL')
  server = await startServer({ dataFolder: server.dataFolder, port: server.port })
  await until(() => watch.texts.err.includes('03.mp4 is uploaded.'))
  watch.child.kill('SIGKILL')
  expect((await watch.ended).out).toBe(`${server.origin}/video/1\n`)
  expect(watch.texts.err.match(/bad\.mp4: This is a text file/g)).toHaveLength(1)
  expect(await ann.read('/api/videos/1')).toMatchObject({
    title: 'Rust, 1 May 2025, 22:48',
    category: 'Rust',
  })
  expect([await ann.read('/api/uploads'), await listTitles()]).toEqual([[], [expect.any(String)]])

  const { code, out } = await uploader.run('up', path)
  expect([code, out]).toEqual([0, `${server.origin}/video/1\n`])
})

test('it waits while a program fills the screen', async () => {
  const path = join(folder, 'Valorant 2025.05.03 - 20.10.17.03.mp4')
  await writeFile(path, recordingOf(3 * MB))
  const args = ['up', path, '--pause-in-game']
  const unable = await uploader.start(args, { DISPLAY: '' }).ended
  expect([unable.code, unable.err]).toEqual([2, expect.stringContaining('does not tell')])

  // There is no X server here: this answers as xprop does, with the state of the window in a file.
  const tools = join(folder, 'tools')
  await mkdir(tools)
  await writeFile(
    join(tools, 'xprop'),
    `#!/bin/sh
[ "$1" = -root ] && echo '_NET_ACTIVE_WINDOW(WINDOW): window id # 0x3a00007' || cat "${tools}/state"
`,
    { mode: 0o755 },
  )
  await writeFile(join(tools, 'state'), '_NET_WM_STATE(ATOM) = _NET_WM_STATE_FULLSCREEN\n')
  const env = { DISPLAY: ':9', PATH: `${tools}:${process.env.PATH}` }
  const upload = uploader.start(args, env)
  await until(() => upload.texts.err.includes('a program fills the screen'))
  expect(await countChunks()).toBe(0)
  await writeFile(join(tools, 'state'), '_NET_WM_STATE(ATOM) = \n')
  expect(await upload.ended).toMatchObject({ code: 0, err: expect.stringContaining('Going on.') })
})

longTest(
  'a killed upload goes on, and what cannot be uploaded is told with an exit code',
  async () => {
    expect((await uploader.run('upload')).code).toBe(2)
    const usage = await uploader.run()
    expect([usage.code, usage.out]).toEqual([0, expect.stringContaining('clutch.mjs watch FOLDER')])

    const path = join(folder, 'CS2 2025.05.02 - 22.48.17.03.mp4')
    await writeFile(path, recordingOf(9 * MB))
    const killed = uploader.start(['up', path, '--limit', '60M'])
    await until(async () => (await countChunks()) >= 1)
    killed.child.kill('SIGKILL')
    await killed.ended
    const going = await uploader.run('up', path, '--visibility', 'private')
    expect([going.code, going.err]).toEqual([0, expect.stringContaining('goes on at')])
    expect(await listTitles()).toEqual([
      'CS2, 2 May 2025, 22:48',
      'Rust, 1 May 2025, 22:48',
      'Valorant, 3 May 2025, 20:10',
    ])

    await writeFile(join(folder, 'bad.mp4'), 'not a video')
    const mixed = await uploader.run('up', join(folder, 'bad.mp4'), join(folder, 'none.mp4'), path)
    expect([mixed.code, mixed.out]).toEqual([1, going.out])
    expect(mixed.err).toMatch(
      /^bad\.mp4: This is a text file.+\nnone\.mp4: There is no such file\.\n/,
    )
    const wrong = await uploader.start(['up', path], { CLUTCH_TOKEN: 'clutch_wrong' }).ended
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('not valid')])

    await ann.mutate('video.delete', { id: Number(/\d+$/m.exec(going.out.trim())?.[0]) })
    expect((await uploader.run('up', path)).out).not.toBe(going.out)
  },
)

longTest('a growing file waits, and a renamed or copied one is not uploaded again', async () => {
  const watched = join(folder, 'More')
  await mkdir(join(watched, 'CS2'), { recursive: true })
  await writeFile(join(watched, 'old.mp4'), recordingOf(MB))
  const watch = () => uploader.start(['watch', watched, '--every', '0.2'])
  const first = watch()
  await until(() => first.texts.err.includes('Watching'))
  const growing = join(watched, 'CS2', '2025-06-02 21-10-00.mp4')
  const bytes = recordingOf(5 * MB)
  for (let at = 0; at < bytes.length; at += MB) {
    await appendFile(growing, bytes.subarray(at, at + MB))
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  await writeFile(join(watched, 'broken.mp4'), 'still not a video')
  await writeFile(join(watched, 'notes.txt'), 'no recording')
  await until(() => first.texts.err.includes('2025-06-02 21-10-00.mp4 is uploaded.'))
  await until(() => first.texts.err.includes('broken.mp4: This is a text file'))
  first.child.kill('SIGKILL')
  await first.ended
  expect(await listTitles()).toContain('CS2, 2 June 2025, 21:10')
  const before = (await listTitles()).length

  await rename(growing, join(watched, 'CS2', 'renamed.mp4'))
  await copyFile(join(watched, 'CS2', 'renamed.mp4'), join(watched, 'copied.mp4'))
  const second = watch()
  await until(() => second.texts.err.includes('Watching'))
  await writeFile(join(watched, 'Rust 2025.06.04 - 20.00.00.01.mp4'), recordingOf(MB))
  await until(() => second.texts.err.includes('Rust 2025.06.04 - 20.00.00.01.mp4 is uploaded.'))
  await rename(watched, `${watched}-gone`)
  await until(() => second.texts.err.includes('cannot be read (ENOENT)'))
  await rename(`${watched}-gone`, watched)
  await writeFile(join(watched, 'Rust 2025.06.05 - 20.00.00.01.mp4'), recordingOf(MB))
  await until(() => second.texts.err.includes('Rust 2025.06.05 - 20.00.00.01.mp4 is uploaded.'))
  second.child.kill('SIGKILL')
  expect((await second.ended).err).not.toMatch(/broken|old|renamed|copied/)
  expect(await listTitles()).toHaveLength(before + 2)

  expect((await uploader.run('logout')).code).toBe(0)
  const late = await uploader.run('up', growing)
  expect([late.code, late.err]).toEqual([3, 'Sign in first: node clutch.mjs login\n'])
  expect((await ann.read('/trpc/apiToken.list')).result.data).toEqual([])
})
