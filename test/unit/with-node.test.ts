import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const START = 'src/tools/with-node.js'
const OWN_PACKAGE = /^node-(?:bin-)?(?:linux|darwin|win)-(?:x64|arm64)$/

type Manifest = { scripts: Record<string, string>; optionalDependencies: Record<string, string> }
const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Manifest

/** A checkout as npm 10 leaves it: the platform's package is there, `node_modules/.bin/node` is not. */
let folder: string
let binary: string

beforeAll(async () => {
  folder = await copyStart()
  await mkdir(join(folder, 'node_modules'))
  const name = Object.keys(manifest.optionalDependencies).find(
    (one) => OWN_PACKAGE.test(one) && one.endsWith(`${process.platform}-${process.arch}`),
  )
  const link = join(folder, 'node_modules', name ?? '')
  await symlink(join(ROOT, 'node_modules', name ?? ''), link)
  binary = await realpath(join(link, 'bin', 'node'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function copyStart(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'clutch-node-'))
  await mkdir(join(made, dirname(START)), { recursive: true })
  for (const file of [START, 'package.json']) await copyFile(join(ROOT, file), join(made, file))
  return made
}

type Options = { at?: string; env?: NodeJS.ProcessEnv }

function start(words: string[], { at = folder, env = { PATH: '/usr/bin:/bin' } }: Options = {}) {
  return spawn(process.execPath, [join(at, START), ...words], { env })
}

async function run(words: string[], options: Options = {}) {
  const child = start(words, options)
  child.stdin.end('what is typed')
  const [out, err, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { out, err, code, signal }
}

test('every npm script runs with the Node of the package', () => {
  const isOwn = /^(?:[A-Z_]+=\S+ )*exec (?:node src\/tools\/with-node\.js \S|npm (?:run|sbom) )/
  const others = Object.entries(manifest.scripts).flatMap(([name, script]) => {
    const commands = script.split(' && ')
    const last = commands.pop() ?? ''
    const before = commands.filter((command) => !/^npm run --silent \w+$/.test(command))
    return [...before, ...(isOwn.test(last) ? [] : [last])].map((command) => `${name}: ${command}`)
  })
  // Without `exec` a signal for npm ends its shell alone (dash), and the program goes on.
  expect(others).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'a signal for the shell of npm ends the program',
  async () => {
    const script = `console.log('ready'); setInterval(() => {}, 1000)`
    const command = manifest.scripts.worker?.replace(/\S+worker\.ts$/, `-e "${script}"`) ?? ''
    const shell = spawn('/bin/sh', ['-c', command], { cwd: folder })
    const [ready] = await once(shell.stdout, 'data')
    expect(String(ready)).toBe('ready\n')
    shell.kill('SIGTERM')
    // Closed by the last process that holds it.
    await once(shell.stdout, 'close')
  },
)

test('it hands over standard streams, exit code and PATH', async () => {
  const script = `
    const version = require('node:child_process').execFileSync('node', ['-p', 'process.execPath'])
    process.stdin.on('data', (typed) => {
      console.log(JSON.stringify([process.execPath, String(version).trim(), String(typed)]))
      console.error('a complaint')
      process.exitCode = 7
    })`
  const { out, err, code } = await run(['node', '-e', script])
  expect({ err, code }).toEqual({ err: 'a complaint\n', code: 7 })
  const [own, ofChildren, typed] = JSON.parse(out)
  expect([await realpath(own), await realpath(ofChildren), typed]).toEqual([
    binary,
    binary,
    'what is typed',
  ])
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGABRT', 'SIGALRM'] as const)(
  'on %s the program ends as it likes, and the start file with it',
  async (signal) => {
    const script = `
      process.on('${signal}', () => { console.log('tidied up'); process.exit(3) })
      setInterval(() => {}, 1000)
      console.log('ready')`
    const child = start(['node', '-e', script])
    const out: string[] = []
    child.stdout.on('data', (bytes) => {
      if (out.push(String(bytes)) === 1) child.kill(signal)
    })
    expect(await once(child, 'close')).toEqual([3, null])
    expect(out.join('')).toBe('ready\ntidied up\n')
  },
)

test('a program that a signal ends is seen to end by it', async () => {
  const ended = await run([
    'node',
    '-e',
    `process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9000)`,
  ])
  expect(ended).toMatchObject({ code: null, signal: 'SIGTERM' })
})

test('where its Node cannot run it says so, and does not use the one of the system', async () => {
  const other = await copyStart()
  const { optionalDependencies } = manifest
  const name = Object.keys(optionalDependencies).find((one) => binary.includes(`/${one}/`)) ?? ''
  const bin = join(other, 'node_modules', name, 'bin')
  await mkdir(bin, { recursive: true })
  // As the loader of glibc is missing on musl.
  await writeFile(join(bin, 'node'), '#!/nowhere/ld-linux\n', { mode: 0o755 })
  expect(await run(['node', '-v'], { at: other, env: process.env })).toMatchObject({
    ...{ code: 127, out: '' },
    err: expect.stringMatching(/^The Node in node_modules cannot run here \(ENOENT\): .+\.\n$/),
  })
  await rm(other, { recursive: true })
})

test('without its Node it says in one sentence what to do', async () => {
  const bare = await copyStart()
  const failed = { code: 127, out: '' }
  const env = { PATH: '/usr/bin:/bin' }
  expect(await run(['node', '-v'], { at: bare })).toMatchObject({
    ...failed,
    err: `Node for ${process.platform} on ${process.arch} is missing in node_modules: run \`npm ci\`.\n`,
  })
  const old = { ...env, npm_config_user_agent: 'npm/6.14.18 node/v14.21.3 linux x64' }
  expect(await run(['node', '-v'], { at: bare, env: old })).toMatchObject({
    ...failed,
    err: 'npm 6 is too old to install Clutch: install Node.js 20 or newer, which brings a newer npm, then run `npm ci`.\n',
  })
  await rm(bare, { recursive: true })
})
