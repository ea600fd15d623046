import { spawnSync } from 'node:child_process'
import { glob, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
/** Of the server's files only these build pages. */
const BUILDS = ['src/server/command/build-client.ts', 'src/server/command/dev.ts']
/** No command of its own, or of a checkout alone. */
const NOT_IN_CONTAINER = ['build-client', 'command-line', 'dev']
const read = (name: string) => readFile(join(ROOT, name), 'utf8')

test('the image has the Node that the npm scripts use', async () => {
  const [, version] = /^FROM node:([\d.]+)-/m.exec(await read('Dockerfile')) ?? []
  expect(`v${version}`).toBe(process.version)
})

test('the container runs every command for who keeps a site, and names all where there is none', async () => {
  const files = await readdir(join(ROOT, 'src/server/command'))
  const commands = files.map((file) => parse(file).name)
  const meant = commands.filter((name) => !NOT_IN_CONTAINER.includes(name)).sort()
  const entry = await read('deploy/clutch.sh')
  const [, cases = ''] = /^ {2}(backup[\w |-]*)\)/m.exec(entry) ?? []
  const [, message = ''] = /There is no command '\$command': ([^"]*)\."/.exec(entry) ?? []
  expect(cases.split(' | ')).toEqual(meant)
  expect(message.split(/, | or /)).toEqual(meant)
})

test('the container is well when its site answers, and when it runs a command', async () => {
  const [, check = ''] = /^HEALTHCHECK [^\n]*\\\n {2}CMD (.*)/m.exec(await read('Dockerfile')) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'clutch-container-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const first = join(folder, 'cmdline')
  const checkOf = async (...words: string[]) => {
    await writeFile(first, words.map((word) => `${word}\0`).join(''))
    const command = check.replace('/proc/1/cmdline', first)
    // Nothing listens at that port.
    return spawnSync('sh', ['-c', command], { env: { PATH: process.env.PATH, PORT: '9' } }).status
  }
  const worker = 'https://clips.example.org'
  expect(await checkOf('tini', '--', 'node', '/app/src/server/main.ts')).toBe(1)
  expect(await checkOf('/sbin/docker-init', '--', 'clutch')).toBe(1)
  expect(await checkOf('tini', '--', 'node', '/app/src/server/command/worker.ts', worker)).toBe(0)
  expect(await checkOf('/sbin/docker-init', '--', 'clutch', 'worker', worker)).toBe(0)
})

test('the image leaves out dependencies that the server does not import', async () => {
  const dockerfile = await read('Dockerfile')
  const named = dockerfile.matchAll(/\bdependencies(?:\.([\w@./-]+)|\[([\w@./-]+)\])/g)
  const leftOut = [...named].map(([, plain, bracketed]) => plain ?? bracketed ?? '')
  const { dependencies } = JSON.parse(await read('package.json')) as Record<string, object>
  expect(leftOut.length).toBeGreaterThan(5)
  expect(leftOut.filter((name) => !Object.keys(dependencies ?? {}).includes(name))).toEqual([])

  const imported: string[] = []
  for await (const path of glob('src/{server,shared}/**/*.ts', { cwd: ROOT })) {
    if (BUILDS.includes(path.replaceAll('\\', '/'))) continue
    const text = await read(path)
    for (const name of leftOut) {
      if (text.includes(`'${name}'`) || text.includes(`'${name}/`))
        imported.push(`${path}: ${name}`)
    }
  }
  expect(imported).toEqual([])
})
