import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
type Import = { from: string; to: string; typeOnly: boolean; isLate: boolean }

const imports = await readImports()

test('shared imports nothing but itself and zod', () => {
  const breaches = imports.filter(
    ({ from, to }) =>
      from.startsWith('src/shared/') && !to.startsWith('src/shared/') && to !== 'zod',
  )
  expect(breaches).toEqual([])
})

test('the server does not import the client', () => {
  const breaches = imports.filter(
    ({ from, to }) => from.startsWith('src/server/') && to.startsWith('src/client/'),
  )
  expect(breaches).toEqual([])
})

test("the client's only import from the server is the router's type", () => {
  const crossing = imports.filter(
    ({ from, to }) => from.startsWith('src/client/') && to.startsWith('src/server/'),
  )
  expect(crossing).toEqual([
    { from: 'src/client/trpc.ts', to: 'src/server/app-router.ts', typeOnly: true, isLate: false },
  ])
})

test('the client ships no zod', () => {
  const withZod = imports.filter(
    ({ from, to, typeOnly }) =>
      from.startsWith('src/client/') && !typeOnly && (to === 'zod' || to.endsWith('.schemas.ts')),
  )
  expect(withZod).toEqual([])
})

const SERVER_WINGS = ['platform', 'account', 'video', 'community', 'discovery', 'desk']
const CLIENT_WINGS = ['watch', 'browse', 'create', 'account', 'desk']

/** The wing of a file of the server; what stands above all wings (command/, app.ts …) comes last. */
function serverLevel(path: string): number | undefined {
  const wing = /^src\/server\/([^/]+)/.exec(path)?.[1]
  if (wing === undefined) return undefined
  const level = SERVER_WINGS.indexOf(wing)
  return level === -1 ? SERVER_WINGS.length : level
}

test('a wing of the server imports only itself and those below it', () => {
  const breaches = imports.filter(({ from, to }) => {
    const [own, other] = [serverLevel(from), serverLevel(to)]
    return own !== undefined && other !== undefined && other > own
  })
  expect(breaches).toEqual([])
})

/** A noun is a folder of a wing, such as `video/clip`, or a file outside such folders. */
function nounOf(path: string): string | undefined {
  const [wing, noun] = /^src\/server\/(.+)$/.exec(path)?.[1]?.split('/') ?? []
  if (wing === undefined || noun === undefined) return wing
  return SERVER_WINGS.includes(wing) ? `${wing}/${noun}` : wing
}

test('no nouns of the server import each other in a circle, not even for a type', () => {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) {
    const [noun, other] = [nounOf(from), nounOf(to)]
    if (noun === undefined || other === undefined || noun === other) continue
    next.set(noun, [...(next.get(noun) ?? []), other])
  }
  expect(next.size).toBeGreaterThan(50)
  expect(listCircles(next)).toEqual([])
})

test('only the drawer of the cluster, the database and the list of nodes know that there are nodes', async () => {
  const asking = await filesWith(/\b(?:clusterOf|engineOf)\(/)
  const home = /^src\/server\/platform\/(?:cluster|db)\//
  expect(asking.filter((path) => !home.test(path))).toEqual([
    'src/server/desk/nodes/node.service.ts',
    'src/server/desk/nodes/presence.service.ts',
  ])
})

test('wings of the client do not import each other, and what they stand on imports none of them', () => {
  const room = (path: string) => /^src\/client\/([^/]+)\//.exec(path)?.[1]
  const breaches = imports.filter(({ from, to }) => {
    const [own, other] = [room(from), room(to)]
    if (own === undefined || other === undefined || own === other) return false
    if (own === 'platform') return other !== 'platform'
    if (own === 'kit') return other !== 'platform'
    return CLIENT_WINGS.includes(own) && (CLIENT_WINGS.includes(other) || other === 'routes')
  })
  expect(breaches).toEqual([])
})

test('no modules import each other in a circle, not even for a type', async () => {
  const next = new Map<string, string[]>()
  for (const { from, to } of [...imports, ...(await readImports('test'))]) {
    next.set(from, [...(next.get(from) ?? []), to])
  }
  expect(listCircles(next)).toEqual([])
})

/** @param next imports of each module or noun @returns a line for each circle */
function listCircles(next: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (one: string, way: string[]) => {
    if (way.includes(one)) circles.push([...way.slice(way.indexOf(one)), one].join(' → '))
    if (way.includes(one) || done.has(one)) return
    for (const target of next.get(one) ?? []) visit(target, [...way, one])
    done.add(one)
  }
  for (const one of next.keys()) visit(one, [])
  return circles
}

test.each([
  ['nodemailer', /^src\/server\/platform\/mail\/smtp\.ts$/],
  ['better-sqlite3', /^src\/server\/platform\/db\//],
  ['pg', /^src\/server\/platform\/db\/postgres\//],
  ['lucia', /^src\/server\/account\/auth\/lucia\.ts$/],
  ['node-av', /^src\/(server\/video\/processing|tools\/demo\/recording)\//],
])('%s is imported in one place only', (library, home) => {
  const breaches = imports.filter(
    ({ from, to }) => (to === library || to.startsWith(`${library}/`)) && !home.test(from),
  )
  expect(breaches).toEqual([])
})

/** Modules and packages that a server loads before anything asks for more. */
function listLoaded(): string[] {
  const loaded = new Set(['src/server/main.ts'])
  for (const path of loaded) {
    const next = imports.filter(
      ({ from, typeOnly, isLate }) => from === path && !typeOnly && !isLate,
    )
    for (const { to } of next) loaded.add(to)
  }
  return [...loaded]
}

test('a site whose media lie in its folder loads no client of object storage', () => {
  const loaded = listLoaded()
  expect(loaded).toContain('better-sqlite3')
  expect(loaded).not.toContain('s3mini')
})

test('a site that sends no email does not load what it would need for that', () => {
  expect(listLoaded().filter((name) => /^nodemailer/.test(name))).toEqual([])
})

test('a site without identity providers loads no library for them', () => {
  const libraries = ['openid-client', 'jose']
  expect(imports.filter(({ to }) => libraries.includes(to)).length).toBeGreaterThan(0)
  expect(listLoaded().filter((name) => libraries.includes(name))).toEqual([])
})

test('a site without push messages does not load what it would need for them', () => {
  expect(listLoaded()).not.toContain('web-push')
  expect(imports.some(({ to, isLate }) => to === 'web-push' && isLate)).toBe(true)
})

test('a site without passkeys and authenticator apps loads no library for them', () => {
  const loaded = listLoaded()
  expect(loaded).toContain('src/server/account/second-factor/second-factor.service.ts')
  for (const library of ['@simplewebauthn/server', '@oslojs/otp']) {
    expect(loaded).not.toContain(library)
    expect(imports.some(({ to, isLate }) => to === library && isLate)).toBe(true)
  }
})

test("the server's own process loads no media library", () => {
  expect(listLoaded().filter((name) => name.startsWith('node-av'))).toEqual([])
})

test('a site on SQLite does not load what it would need for PostgreSQL', () => {
  const loaded = listLoaded()
  expect(loaded).toContain('better-sqlite3')
  const ofPostgres = loaded.filter(
    (path) => path === 'pg' || /\/(db|cluster)\/postgres\//.test(path),
  )
  expect(ofPostgres).toEqual(['src/server/platform/db/postgres/errors.ts'])
})

test('a site that no worker works for does not load what it would need for one', () => {
  const ofWorkers = listLoaded().filter((path) => /^src\/server\/(video\/)?worker\//.test(path))
  expect(ofWorkers.map((path) => path.split('/').at(-1)).sort()).toEqual([
    'avoided-jobs.ts',
    'create-remote-work.ts',
    'held-task.ts',
    'present-workers.ts',
    'worker-protocol.ts',
    'worker.access.ts',
    'worker.queries.ts',
    'worker.router.ts',
    'worker.routes.ts',
    'worker.service.ts',
  ])
})

test('the environment is read in config.ts only', async () => {
  const readers: string[] = []
  for (const path of await listSources()) {
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/process\.env\b/.test(text)) readers.push(path)
  }
  expect(readers).toEqual(['src/server/platform/config.ts'])
})

test('the address of a request is read in client-address.ts only', async () => {
  const readers: string[] = []
  for (const path of await listSources('src/server')) {
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/(\.|[{,] )ips?\b/.test(text)) readers.push(path)
  }
  expect(readers).toEqual(['src/server/platform/request/client-address.ts'])
})

test('rows are read and written in *.queries.ts only, but for commands and sessions', async () => {
  const home =
    /^src\/server\/(platform\/db\/|command\/|desk\/(backup|site-check)\/|account\/auth\/lucia\.ts$)|\.(queries|access)\.ts$/
  const elsewhere: string[] = []
  for (const path of await listSources()) {
    if (!path.startsWith('src/server/') || home.test(path)) continue
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/\.(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text)) elsewhere.push(path)
  }
  expect(elsewhere).toEqual([])
})

test('a transaction is begun by inTransaction alone, which knows how to run it again', async () => {
  const elsewhere: string[] = []
  for (const path of await listSources()) {
    if (path.startsWith('src/server/platform/db/')) continue
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/\.(transaction|startTransaction)\(\)/.test(text)) elsewhere.push(path)
  }
  expect(elsewhere).toEqual([])
})

/** Calls that store media or write into the folder of an upload. */
const WRITES = /\b(?:putFiles|writeChunk|createUploadFile|keepThumbnail|publishMade)\(|\.put\(/
/** The file that checks for free space. */
const ROOM = 'src/server/account/room/room.service.ts'

/** Files that send requests without the guard, and why they may. */
const OPEN_CONNECTIONS = new Map<string, string>([
  ['src/server/platform/db/postgres/move-tables.ts', 'reads rows with a function of this name'],
  ['src/server/desk/backup/offsite/folder-place.ts', 'has a method of this name'],
  ['src/server/desk/backup/offsite/snapshots.ts', 'reads a backup with a function of this name'],
  ['src/server/platform/files/s3/quiet-limit.ts', 'asks the object storage of the operator'],
  ['src/server/platform/http/answer/offline-page.ts', 'has a script that runs in browsers'],
  ['src/server/platform/mail/smtp.ts', 'asks the mail server of the operator'],
  ['src/server/platform/outgoing/outgoing.ts', 'is the guard'],
  ['src/server/worker/site-connection.ts', 'asks the site of the worker'],
])

const VALUES = String.raw`import \{(?:(?!type )[^}])*\b(?:request|get|connect|createConnection|Socket)\b[^}]*\} from`
const ALL = String.raw`import (?:\* as )?(?!type )\w+(?:, \{[^}]*\})? from`
const MODULE = "'(?:node:)?(?:https?|http2|net|tls)'"
const LATE = String.raw`(?:import|require|getBuiltinModule)\((?:${MODULE}|'(?:undici|nodemailer)')\)`
const OTHERS = String.raw`globalThis\.fetch|\bnew (?:WebSocket|EventSource)\(|\bcreateRemoteJWKSet\b|\bsendNotification\(`
/** Source that sends requests without the guard. */
const SENDS = new RegExp(
  String.raw`(?<![.\w])fetch\(|(?:${VALUES}|${ALL}) ${MODULE}|\bfrom 'undici'|${LATE}|${OTHERS}`,
)

test('every request to an address that somebody gave goes through the guard', async () => {
  expect(await filesWith(SENDS)).toEqual([...OPEN_CONNECTIONS.keys()].sort())
})

test.each([
  'await fetch(address)',
  "import { request } from 'node:https'",
  "import https from 'https'",
  "const { request } = await import('node:https')",
  "process.getBuiltinModule('node:net').connect(80)",
  "const { fetch: ask } = await import('undici')",
  'await webPush.sendNotification(subscription)',
])('%s is found as a request without the guard', (line) => {
  expect(line).toMatch(SENDS)
})

test('the type of a socket is no request', () => {
  expect("import type { Socket } from 'node:net'").not.toMatch(SENDS)
})

/** Writers that do not ask themselves: who asks for them, or why nobody has to be asked. */
const ASKED_FOR = new Map<string, string>([
  [
    'src/server/video/upload/upload-files.ts',
    'src/server/video/upload/upload-thumbnail.service.ts',
  ],
  [
    'src/server/video/sound-mix/sound-mix-job.ts',
    'src/server/video/sound-mix/sound-mix.service.ts',
  ],
  ['src/server/video/upload/chunk-store.ts', 'src/server/video/upload/upload.service.ts'],
  ['src/server/video/upload/upload-chunk.service.ts', 'src/server/video/upload/upload.service.ts'],
  // The logo and the art of games are the site's, for which nobody has to be asked.
  [
    'src/server/platform/picture/stored-picture.ts',
    'src/server/account/settings/settings.service.ts',
  ],
])
const ASKS_NOBODY = new Map<string, string>([
  ['src/server/platform/files/media-store.ts', 'is what the others put by'],
  [
    'src/server/video/preparation/transcode-job.ts',
    'prepares a video that was let in with its upload',
  ],
  [
    'src/server/video/preparation/ladder-job.ts',
    'prepares a video that was let in with its upload',
  ],
  ['src/server/video/media/store-owner.ts', 'writes the owner of the store'],
  ['src/server/desk/move/move-file.ts', 'moves what is there'],
  ['src/server/desk/backup/backup-media.ts', 'brings back what was there'],
  ['src/server/desk/backup/offsite/s3-place.ts', 'holds backups, which are the site’s'],
  ['src/server/desk/backup/offsite/snapshots.ts', 'sends backups, which are the site’s'],
])

async function filesWith(pattern: RegExp): Promise<string[]> {
  const found: string[] = []
  for (const path of await listSources('src/server')) {
    if (pattern.test(await readFile(join(ROOT, path), 'utf8'))) found.push(path)
  }
  return found.sort()
}

test('every writer of media asks whether there is room for it, or another asks for it', async () => {
  const asking = new Set(imports.filter(({ to }) => to === ROOM).map(({ from }) => from))
  const writers: string[] = []
  for (const path of await listSources('src/server')) {
    if (/\/platform\/files\/(?!media-store)/.test(path)) continue
    const text = await readFile(join(ROOT, path), 'utf8')
    if (WRITES.test(text)) writers.push(path)
  }
  expect(await filesWith(/payer: null/)).toEqual([
    'src/server/video/poster/card-renewal.service.ts',
    'src/server/video/preparation/ladder-job.ts',
    'src/server/video/preparation/transcode-job.ts',
  ])
  const notAsking = writers.filter((path) => !asking.has(path))
  expect(notAsking).toEqual([...ASKED_FOR.keys(), ...ASKS_NOBODY.keys()].sort())
  expect([...ASKED_FOR.values()].filter((path) => !asking.has(path))).toEqual([])
})

test('what a member holds is summed up in one place', async () => {
  const elsewhere: string[] = []
  for (const path of await listSources('src/server')) {
    if (path.startsWith('src/server/account/room/') || path.includes('/db/')) continue
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/sum(?:<number>)?\(['"]+(?:storageBytes|fileSize)/.test(text)) elsewhere.push(path)
  }
  // How much of all uploads has arrived, and what all originals together take, of the site.
  expect(elsewhere).toEqual(['src/server/desk/storage/storage.queries.ts'])
})

test('no file is named after nothing in particular', async () => {
  const vague = (await listSources()).filter((path) =>
    /(^|[/.-])(utils?|helpers?|common|manager|index|misc)\.(ts|tsx)$/.test(path),
  )
  expect(vague).toEqual([])
})

async function listSources(folder = 'src'): Promise<string[]> {
  const paths = await Array.fromAsync(glob(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
  return paths.map((path) => path.replaceAll('\\', '/')).sort()
}

async function readImports(folder = 'src'): Promise<Import[]> {
  const found: Import[] = []
  for (const from of await listSources(folder)) {
    const text = await readFile(join(ROOT, from), 'utf8')
    const statements = text.matchAll(
      /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm,
    )
    for (const [, type, plain, dynamic] of statements) {
      const to = resolveImport(from, plain ?? dynamic ?? '')
      found.push({ from, to, typeOnly: type !== undefined, isLate: plain === undefined })
    }
  }
  return found
}

function resolveImport(from: string, target: string): string {
  if (target.startsWith('#test/')) return target.slice(1)
  if (target.startsWith('#')) return target.replace(/^#(server|shared|client|tools)\//, 'src/$1/')
  if (!target.startsWith('.')) return target
  return relative(ROOT, join(ROOT, dirname(from), target)).replaceAll('\\', '/')
}
