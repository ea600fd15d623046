import { spawnSync } from 'node:child_process'
import { glob, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'

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

test('the image keeps the licences of what it leaves out, which the pages hold, and of Node', async () => {
  const dockerfile = await read('Dockerfile')
  const [, build = '', image = ''] = dockerfile.split(/^FROM /m)
  expect(build).toContain('RUN npm run build')
  expect(image).toContain('COPY --from=build /app/dist dist')
  expect(image).toContain('COPY --from=build /app/node-licence')
})

test('the image leaves out dependencies that the server does not import', async () => {
  const dockerfile = await read('Dockerfile')
  const named = dockerfile.matchAll(/\bdependencies(?:\.([\w@./-]+)|\[([\w@./-]+)\])/g)
  const leftOut = [...named].map(([, plain, bracketed]) => plain ?? bracketed ?? '')
  const removed = /&& rm -rf (.+?) \\\n {2}&&/s.exec(dockerfile)?.[1]?.split(/[\s\\]+/) ?? []
  expect(removed).toContain('mp4box')
  const { dependencies } = JSON.parse(await read('package.json')) as Record<string, object>
  expect(leftOut.length).toBeGreaterThan(5)
  expect(leftOut.filter((name) => !Object.keys(dependencies ?? {}).includes(name))).toEqual([])

  const imported: string[] = []
  for await (const path of glob('src/{server,shared}/**/*.ts', { cwd: ROOT })) {
    if (BUILDS.includes(path.replaceAll('\\', '/'))) continue
    const text = await read(path)
    for (const name of [...leftOut, ...removed]) {
      if (text.includes(`'${name}'`) || text.includes(`'${name}/`))
        imported.push(`${path}: ${name}`)
    }
  }
  expect(imported).toEqual([])
})

/** What stands for the variables of `.env`, as `${NAME:?}` and `${NAME:-default}` name them. */
const GIVEN: Record<string, string> = {
  CLUTCH_DOMAIN: 'clips.example.org',
  POSTGRES_PASSWORD: 'a1b2',
  MEDIA_S3_ACCESS_KEY_ID: 'key',
  MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
}
const VARIABLE = /\$\{(\w+)(?::\?|:-([^}]*))\}/g

/** A block of a Compose file that begins with a line: the lines after it that stand further in. */
function blockOf(text: string, first: string): string[] {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.trim() === first)
  const depth = (line: string) => line.search(/\S/)
  const rest = lines.slice(at + 1).filter((line) => line.trim() !== '')
  const end = rest.findIndex((line) => depth(line) <= depth(lines[at] ?? ''))
  expect(at, first).toBeGreaterThan(-1)
  return rest.slice(0, end === -1 ? undefined : end).map((line) => line.trim())
}

test('the nodes of the cluster are given settings that the site takes', async () => {
  const node = blockOf(await read('compose.cluster.yaml'), 'x-node: &node').join('\n')
  const [, environment = ''] = /environment:\n((?:[A-Z][\w]*: .*\n)+)/.exec(node) ?? []
  const settings = Object.fromEntries(
    environment
      .trim()
      .split('\n')
      .map((line) => {
        const [, name = '', value = ''] = /^(\w+): "?(.*?)"?$/.exec(line) ?? []
        return [name, value.replace(VARIABLE, (_, key, usual) => GIVEN[key] ?? usual)]
      }),
  )
  const config = readConfig(settings)
  expect(config).toMatchObject({
    publicUrl: 'https://clips.example.org',
    databaseUrl: 'postgres://clutch:a1b2@postgres/clutch',
    drainSeconds: 10,
    media: { store: { bucket: 'clutch' } },
  })
  const [, grace] = /stop_grace_period: (\d+)s/.exec(node) ?? []
  // Requests under way are given 10 s after the drain.
  expect(Number(grace)).toBeGreaterThan(config.drainSeconds + 10)
  const documents = await Promise.all(
    ['run', 'object-storage', 'cluster'].map((name) => read(`docs/${name}.md`)),
  )
  const undocumented = Object.keys(settings).filter(
    (name) => !documents.some((text) => text.includes(`\`${name}\``)),
  )
  expect(undocumented).toEqual([])
})

test('what the cluster needs to be told stands in deploy/cluster.env', async () => {
  const text = await read('compose.cluster.yaml')
  const needed = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name)
  const offered = [...(await read('deploy/cluster.env')).matchAll(/^(\w+)=/gm)].map(
    ([, name]) => name,
  )
  expect(new Set(needed)).toEqual(new Set(Object.keys(GIVEN)))
  expect(offered).toEqual(expect.arrayContaining(Object.keys(GIVEN)))
  expect(offered).toContain('DRAIN_SECONDS')
})

test('the proxy of the cluster looks more often than a node drains, and leads to its nodes', async () => {
  const compose = await read('compose.cluster.yaml')
  const caddy = await read('deploy/Caddyfile.cluster')
  const [, interval] = /health_interval (\d+)s/.exec(caddy) ?? []
  const [, drain] = /DRAIN_SECONDS:-(\d+)/.exec(compose) ?? []
  expect(caddy).toContain('health_uri /api/ready?parts=database,disk')
  expect(Number(interval) * 3).toBeLessThan(Number(drain))
  const services = blockOf(compose, 'services:').join('\n')
  for (const [, variable = '', name = ''] of compose.matchAll(/(CLUTCH_NODE_\d): (\w+):3000/g)) {
    expect(services).toContain(`${name}:\n<<: *node`)
    expect(caddy).toContain(`{$${variable}:`)
  }
})
