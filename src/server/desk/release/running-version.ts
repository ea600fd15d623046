import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const HASH = /^[\da-f]{40,64}$/

let version: Promise<string> | undefined

export function readVersion(): Promise<string> {
  version ??= readFile(join(ROOT, 'package.json'), 'utf8').then(
    (text) => (JSON.parse(text) as { version: string }).version,
  )
  return version
}

/** Empty if not installed. */
export function readChangelog(): Promise<string> {
  return readFile(join(ROOT, 'CHANGELOG.md'), 'utf8').catch(() => '')
}

export async function readCommit(root = ROOT): Promise<string | undefined> {
  const folder = await findGitFolder(root)
  const head = await readLine(join(folder, 'HEAD'))
  if (head === undefined || HASH.test(head)) return head
  const name = /^ref: (refs\/\S+)$/.exec(head)?.[1]
  if (name === undefined) return undefined
  // A worktree has its own HEAD and shares the rest.
  const shared = resolve(folder, (await readLine(join(folder, 'commondir'))) ?? '.')
  const own = await readLine(join(shared, name))
  if (own !== undefined && HASH.test(own)) return own
  const packed = (await readText(join(shared, 'packed-refs')))?.split('\n') ?? []
  return packed.find((line) => line.endsWith(` ${name}`))?.split(' ')[0]
}

/** In a worktree `.git` is a file. */
async function findGitFolder(root: string): Promise<string> {
  const path = join(root, '.git')
  const named = /^gitdir: (.+)$/.exec((await readLine(path)) ?? '')?.[1]
  return named === undefined ? path : resolve(root, named)
}

const readText = (path: string) => readFile(path, 'utf8').catch(() => undefined)
const readLine = async (path: string) => (await readText(path))?.trim()
