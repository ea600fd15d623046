import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type MeasuredFile, measureFile } from '#server/platform/files/file-hash.ts'
import type { NewMediaFile } from './media-file.queries.ts'

export type MadeFile = Pick<NewMediaFile, 'name' | 'kind'>

type StoredNames = {
  files: (NewMediaFile & MeasuredFile)[]
  nameOf: (made: string) => string
}

const NAMED = /(^|URI=")([\w.-]+)(?=$|["#])/gm

/**
 * Unique per attempt: a late write by one that lost its job replaces nothing. See
 * docs/decisions/0008-served-files-are-rows.md.
 */
export async function nameForStore(
  folder: string,
  made: readonly MadeFile[],
): Promise<StoredNames> {
  const mark = randomBytes(6).toString('hex')
  const names = new Map(made.map(({ name }) => [name, markedName(name, mark)]))
  const nameOf = (name: string) => names.get(name) ?? name
  for (const { name, kind } of made) {
    if (namesOthers({ name, kind })) await rewriteNames(join(folder, name), nameOf)
    await rename(join(folder, name), join(folder, nameOf(name)))
  }
  const files = await measureFiles(
    folder,
    made.map(({ name, kind }) => ({ name: nameOf(name), kind })),
  )
  return { files, nameOf }
}

/** Measures before any copy. */
export async function measureFiles(
  folder: string,
  files: readonly MadeFile[],
): Promise<(NewMediaFile & MeasuredFile)[]> {
  const measured: (NewMediaFile & MeasuredFile)[] = []
  for (const { name, kind } of files) measured.push({ kind, ...(await measureFile(folder, name)) })
  return measured
}

/** `video.mp4` with `0a1b2c3d4e5f`: `video-0a1b2c3d4e5f.mp4`. */
function markedName(name: string, mark: string): string {
  const ending = extname(name)
  return `${name.slice(0, name.length - ending.length)}-${mark}${ending}`
}

function namesOthers({ name, kind }: MadeFile): boolean {
  return kind === 'playlist' || (kind === 'storyboard' && name.endsWith('.vtt'))
}

async function rewriteNames(path: string, nameOf: (name: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replaceAll(NAMED, (_, before, name) => before + nameOf(name)),
  )
}
