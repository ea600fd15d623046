import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '#server/platform/errors.ts'
import { cutChangelog } from './cut-changelog.ts'
import { type Level, nextVersion } from './next-version.ts'

const CHANGELOG = 'CHANGELOG.md'
const PACKAGE = 'package.json'
const LOCK = 'package-lock.json'

type Edit = { name: string; before: string; after: string }
type ReleasePlan = {
  root: string
  before: string
  version: string
  tag: string
  /** Entries of the changelog. */
  notes: string
  edits: Edit[]
}
type Manifest = { version: string; packages?: Record<string, { version?: string }> }

/**
 * Changes nothing.
 * @throws CommandError for uncommitted changes, an empty changelog, and an existing tag
 */
export async function planRelease(input: {
  root: string
  level: Level
  /** YYYY-MM-DD. */
  date: string
}): Promise<ReleasePlan> {
  const { root, level, date } = input
  const read = (name: string) => readFile(join(root, name), 'utf8')
  const [changelog, manifest, lock] = await Promise.all([CHANGELOG, PACKAGE, LOCK].map(read))
  if (changelog === undefined || manifest === undefined || lock === undefined) throw new Error(root)
  if ((await git(root, 'status', '--porcelain')) !== '') {
    throw new CommandError('There are changes that are not committed. Commit or remove them first.')
  }
  const { version: before } = JSON.parse(manifest) as Manifest
  const version = nextVersion(before, level)
  if (version === undefined) {
    throw new CommandError(`${PACKAGE} has the version ${before}, which has no next one.`)
  }
  const tag = `v${version}`
  if ((await git(root, 'tag', '--list', tag)) !== '') {
    throw new CommandError(`The tag ${tag} is there already.`)
  }
  const cut = cutChangelog(changelog, { version, date })
  if (!cut) {
    throw new CommandError(`${CHANGELOG} has nothing under Unreleased. Say there what changed.`)
  }
  const edits = [
    { name: CHANGELOG, before: changelog, after: cut.text },
    { name: PACKAGE, before: manifest, after: withVersion(manifest, version) },
    { name: LOCK, before: lock, after: withVersion(lock, version) },
  ]
  return { root, before, version, tag, notes: cut.notes, edits }
}

/**
 * Writes, commits and tags; restores the files when git fails.
 * @throws CommandError with git's message
 */
export async function publishRelease({ root, version, tag, edits }: ReleasePlan): Promise<void> {
  const names = edits.map(({ name }) => name)
  try {
    for (const { name, after } of edits) await writeFile(join(root, name), after)
    await git(root, 'commit', '--message', `release: publish ${version}`, '--', ...names)
  } catch (error) {
    for (const { name, before } of edits) await writeFile(join(root, name), before)
    await git(root, 'reset', '--quiet', '--', ...names)
    throw error
  }
  await git(root, 'tag', '--annotate', tag, '--message', `Clutch ${version}`)
}

function withVersion(text: string, version: string): string {
  const manifest = JSON.parse(text) as Manifest
  manifest.version = version
  const own = manifest.packages?.['']
  if (own) own.version = version
  return `${JSON.stringify(manifest, null, 2)}\n`
}

async function git(root: string, ...words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)('git', words, { cwd: root })).stdout.trim()
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string | number; stderr?: string }
    if (code === 'ENOENT') throw new CommandError('A release needs git, which is not installed.')
    throw new CommandError(`git ${words[0]} failed: ${stderr.trim().split('\n').at(-1)}`)
  }
}
