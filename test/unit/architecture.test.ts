import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
type Import = { from: string; to: string; typeOnly: boolean }

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
    { from: 'src/client/trpc.ts', to: 'src/server/app-router.ts', typeOnly: true },
  ])
})

test('the client ships no zod', () => {
  const withZod = imports.filter(
    ({ from, to, typeOnly }) =>
      from.startsWith('src/client/') && !typeOnly && (to === 'zod' || to.endsWith('.schemas.ts')),
  )
  expect(withZod).toEqual([])
})

test('features do not import each other', () => {
  const feature = (path: string) => /^src\/client\/features\/([^/]+)\//.exec(path)?.[1]
  const breaches = imports.filter(({ from, to }) => {
    const [own, other] = [feature(from), feature(to)]
    return own !== undefined && other !== undefined && own !== other
  })
  expect(breaches).toEqual([])
})

test('components and lib know no domain', () => {
  const breaches = imports.filter(
    ({ from, to }) =>
      /^src\/client\/(components|lib)\//.test(from) && /\/(features|routes)\//.test(to),
  )
  expect(breaches).toEqual([])
})

test.each([
  ['better-sqlite3', /^src\/server\/db\//],
  ['lucia', /^src\/server\/auth\/lucia\.ts$/],
  ['node-av', /^src\/server\/processing\//],
])('%s is imported in one place only', (library, home) => {
  const breaches = imports.filter(
    ({ from, to }) => (to === library || to.startsWith(`${library}/`)) && !home.test(from),
  )
  expect(breaches).toEqual([])
})

test('the environment is read in config.ts only', async () => {
  const readers: string[] = []
  for (const path of await listSources()) {
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/process\.env\b/.test(text)) readers.push(path)
  }
  expect(readers).toEqual(['src/server/config.ts'])
})

test('rows are read and written in *.queries.ts only, but for commands and sessions', async () => {
  const home =
    /^src\/server\/(db\/|command\/|backup\/|site-check\/|auth\/lucia\.ts$)|\.(queries|access)\.ts$/
  const elsewhere: string[] = []
  for (const path of await listSources()) {
    if (!path.startsWith('src/server/') || home.test(path)) continue
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/\.(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text)) elsewhere.push(path)
  }
  expect(elsewhere).toEqual([])
})

test('no file is named after nothing in particular', async () => {
  const vague = (await listSources()).filter((path) =>
    /(^|[/.-])(utils?|helpers?|common|manager|index|misc)\.(ts|tsx)$/.test(path),
  )
  expect(vague).toEqual([])
})

async function listSources(): Promise<string[]> {
  const paths = await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: ROOT }))
  return paths.map((path) => path.replaceAll('\\', '/')).sort()
}

async function readImports(): Promise<Import[]> {
  const found: Import[] = []
  for (const from of await listSources()) {
    const text = await readFile(join(ROOT, from), 'utf8')
    const statements = text.matchAll(
      /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm,
    )
    for (const [, type, plain, dynamic] of statements) {
      const to = resolveImport(from, plain ?? dynamic ?? '')
      found.push({ from, to, typeOnly: type !== undefined })
    }
  }
  return found
}

function resolveImport(from: string, target: string): string {
  if (target.startsWith('#')) return target.replace(/^#(server|shared|client)\//, 'src/$1/')
  if (!target.startsWith('.')) return target
  return relative(ROOT, join(ROOT, dirname(from), target)).replaceAll('\\', '/')
}
