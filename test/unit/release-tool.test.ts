import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandError } from '#server/platform/errors.ts'
import { nextVersion } from '#tools/release/next-version.ts'
import { planRelease, publishRelease } from '#tools/release/publish-release.ts'

const CHANGELOG = `# Changelog

## [Unreleased]

### Fixed

- A hole.

## [1.0.0] - 2026-11-24

### Added

- All of it.
`

let root: string
const git = async (...words: string[]) =>
  (await promisify(execFile)('git', words, { cwd: root })).stdout.trim()
const read = (name: string) => readFile(join(root, name), 'utf8')
const plan = (level: 'patch' | 'minor' | 'major' = 'minor') =>
  planRelease({ root, level, date: '2026-12-24' })
const commit = (message: string) => git('commit', '--quiet', '--all', '--message', message)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clutch-release-'))
  const manifest = { name: 'clutch', version: '1.0.0' }
  const packages = { '': manifest, 'node_modules/other': { version: '1.0.0' } }
  await writeFile(join(root, 'CHANGELOG.md'), CHANGELOG)
  await writeFile(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ ...manifest, packages }))
  await git('init', '--quiet')
  await git('config', 'user.name', 'Ann')
  await git('config', 'user.email', 'ann@example.org')
  await git('add', '.')
  await commit('first')
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('a release has its version everywhere, its notes in the changelog, a commit and an annotated tag', async () => {
  const planned = await plan()
  expect(planned).toMatchObject({
    before: '1.0.0',
    version: '1.1.0',
    notes: '### Fixed\n\n- A hole.',
  })
  expect(await git('status', '--porcelain')).toBe('')
  await publishRelease(planned)
  expect(await read('CHANGELOG.md')).toBe(
    CHANGELOG.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [1.1.0] - 2026-12-24\n'),
  )
  expect(JSON.parse(await read('package.json'))).toEqual({ name: 'clutch', version: '1.1.0' })
  const lock = JSON.parse(await read('package-lock.json'))
  expect([lock.version, lock.packages[''].version]).toEqual(['1.1.0', '1.1.0'])
  expect(lock.packages['node_modules/other'].version).toBe('1.0.0')
  expect(await git('status', '--porcelain')).toBe('')
  expect(await git('log', '-1', '--format=%s')).toBe('release: publish 1.1.0')
  expect(await git('cat-file', '-t', 'v1.1.0')).toBe('tag')
  expect(await git('rev-parse', 'v1.1.0^{commit}')).toBe(await git('rev-parse', 'HEAD'))
  await expect(plan()).rejects.toThrow('CHANGELOG.md has nothing under Unreleased.')
})

test('a release is refused with one sentence, and nothing is changed', async () => {
  await git('tag', 'v1.0.1')
  await expect(plan('patch')).rejects.toThrow('The tag v1.0.1 is there already.')
  await writeFile(join(root, 'note'), 'x')
  await expect(plan()).rejects.toThrow(CommandError)
  await rm(join(root, 'note'))
  const hook = join(root, '.git', 'hooks', 'pre-commit')
  await writeFile(hook, '#!/bin/sh\necho "Not today." >&2\nexit 1\n')
  await chmod(hook, 0o755)
  await expect(publishRelease(await plan())).rejects.toThrow('git commit failed: Not today.')
  expect(await git('status', '--porcelain')).toBe('')
  expect(await git('tag', '--list', 'v1.1.0')).toBe('')
})

test('the next version counts up one number and begins those after it again', () => {
  const next = (['patch', 'minor', 'major'] as const).map((level) => nextVersion('1.2.3', level))
  expect(next).toEqual(['1.2.4', '1.3.0', '2.0.0'])
  expect(nextVersion('1.2.3-beta', 'patch')).toBeUndefined()
})
