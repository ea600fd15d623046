import { readdirSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
/** Holds up the thread, as a long migration does, for as long as there is a file `wait` in the program's folder. */
const MIGRATION = `
import { existsSync } from 'node:fs'
export async function up(db) {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  while (existsSync(new URL('../../../../../../wait', import.meta.url))) Atomics.wait(pause, 0, 0, 20)
  await db.schema.createTable('later').addColumn('id', 'integer').execute()
}
`

const PLACES = {
  sqlite: join('src', 'server', 'platform', 'db', 'sqlite', 'migrations'),
  postgres: join('src', 'server', 'platform', 'db', 'postgres', 'migrations'),
}

/** The last migration of this version, and the one that `writeLaterVersion` adds. */
const numbers = readdirSync(join(ROOT, PLACES.sqlite)).map((name) => Number(name.slice(0, 3)))
const digits = (number: number) => String(number).padStart(3, '0')
export const VERSIONS = {
  now: digits(Math.max(...numbers)),
  later: digits(Math.max(...numbers) + 1),
}

/**
 * Writes the program as a version to come may have it: with one more migration, which makes a table `later`.
 * @param options.version that it calls itself
 * @param options.needsAllNodes says that no older node can go on after it
 * @returns its folder, as `root` of those who start a server or a command
 */
export async function writeLaterVersion(
  folder: string,
  options: { version?: string; needsAllNodes?: boolean } = {},
): Promise<string> {
  const root = join(folder, `later-version${options.needsAllNodes ? '-of-all' : ''}`)
  await mkdir(root, { recursive: true })
  for (const name of ['server', 'shared']) {
    await cp(join(ROOT, 'src', name), join(root, 'src', name), { recursive: true })
  }
  const about = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const version = options.version ?? about.version
  await writeFile(join(root, 'package.json'), JSON.stringify({ ...about, version }))
  for (const name of ['node_modules', 'dist', 'public']) {
    await symlink(join(ROOT, name), join(root, name), 'junction')
  }
  const migration = options.needsAllNodes
    ? `export const needsAllNodes = true\n${MIGRATION}`
    : MIGRATION
  for (const place of Object.values(PLACES)) {
    await writeFile(join(root, place, `${VERSIONS.later}-later.ts`), migration)
  }
  return root
}
