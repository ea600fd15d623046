import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isNewer, parseChangelog, sectionsBetween } from '#server/desk/release/changelog.ts'
import { readCommit } from '#server/desk/release/running-version.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

const TEXT = `# Changelog

## [Unreleased]

## [1.10.0] - 2027-02-03

### Added

- \`npm run play\` as in [the docs](docs/play.md),
  on two lines.
- Another thing.

### Fixed

- A hole.

## [1.9.1] - 2027-01-02

### Fixed

- A thing.

## [1.0.0] - 2026-11-24
`

test('a changelog is read section by section, as plain text', () => {
  expect(parseChangelog(TEXT).slice(0, 2)).toEqual([
    { version: 'Unreleased', date: null, changes: [] },
    {
      version: '1.10.0',
      date: '2027-02-03',
      changes: [
        {
          kind: 'Added',
          entries: ['npm run play as in the docs, on two lines.', 'Another thing.'],
        },
        { kind: 'Fixed', entries: ['A hole.'] },
      ],
    },
  ])
})

test('what changed is what stands between two versions, compared number by number', () => {
  const between = (since: string, version: string) =>
    sectionsBetween(parseChangelog(TEXT), { since, version }).map((section) => section.version)
  expect(between('1.0.0', '1.10.0')).toEqual(['1.10.0', '1.9.1'])
  expect(between('1.9.1', '1.10.0')).toEqual(['1.10.0'])
  expect(between('1.10.0', '1.10.0')).toEqual([])
  expect(isNewer('v1.10.0', '1.9.1')).toBe(true)
  expect(isNewer('nightly', '1.9.1')).toBe(false)
})

test('our own changelog is kept in that form, and its newest version is the one of the package', async () => {
  const text = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const sections = parseChangelog(text)
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect(sections.map((section) => section.version).slice(0, 2)).toEqual(['Unreleased', version])
  for (const { date, changes, ...section } of sections) {
    if (section.version !== 'Unreleased') expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    const kinds = changes.map(({ kind }) => kind)
    expect(kinds, section.version).toEqual([...new Set(kinds)])
    for (const { kind, entries } of changes) {
      expect(KINDS).toContain(kind)
      expect(entries.length).toBeGreaterThan(0)
    }
  }
  const read = sections.flatMap(({ changes }) => changes.flatMap(({ entries }) => entries))
  expect(read).toHaveLength(text.match(/^- /gm)?.length ?? 0)
})

test('the commit is read from the files of a repository, of its worktrees and of packed branches', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-commit-'))
  const main = join(folder, 'main')
  const git = async (...words: string[]) => {
    const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
    const { stdout } = await promisify(execFile)('git', ['-C', main, ...identity, ...words])
    return stdout.trim()
  }
  await promisify(execFile)('git', ['init', '--quiet', main])
  expect(await readCommit(main)).toBeUndefined()
  await writeFile(join(main, 'a'), 'a')
  await git('add', 'a')
  await git('commit', '--quiet', '--message', 'first')
  const first = await git('rev-parse', 'HEAD')
  expect(await readCommit(main)).toBe(first)
  await git('worktree', 'add', '--quiet', '-b', 'other', join(folder, 'other'))
  await git('commit', '--quiet', '--allow-empty', '--message', 'second')
  await git('pack-refs', '--all')
  expect(await readCommit(join(folder, 'other'))).toBe(first)
  expect(await readCommit(main)).toBe(await git('rev-parse', 'HEAD'))
  await git('checkout', '--quiet', '--detach', first)
  expect(await readCommit(main)).toBe(first)
  expect(await readCommit(folder)).toBeUndefined()
  await rm(folder, { recursive: true, force: true })
})
