import { readdirSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
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

const MIGRATIONS = join(
  import.meta.dirname,
  '..',
  '..',
  'src',
  'server',
  'platform',
  'db',
  'sqlite',
  'migrations',
)

/** The last migration of this version, and the one that `writeLaterVersion` adds. */
const numbers = readdirSync(MIGRATIONS).map((name) => Number(name.slice(0, 3)))
const digits = (number: number) => String(number).padStart(3, '0')
export const VERSIONS = {
  now: digits(Math.max(...numbers)),
  later: digits(Math.max(...numbers) + 1),
}

/**
 * Writes the program as a version to come may have it: with one more migration, which makes a table `later`.
 * @returns its folder, as `root` of those who start a server or a command
 */
export async function writeLaterVersion(folder: string): Promise<string> {
  const root = join(folder, 'later-version')
  await mkdir(root, { recursive: true })
  for (const name of ['server', 'shared']) {
    await cp(join(ROOT, 'src', name), join(root, 'src', name), { recursive: true })
  }
  await cp(join(ROOT, 'package.json'), join(root, 'package.json'))
  for (const name of ['node_modules', 'dist', 'public']) {
    await symlink(join(ROOT, name), join(root, name), 'junction')
  }
  const migrations = join(root, 'src', 'server', 'platform', 'db', 'sqlite', 'migrations')
  await writeFile(join(migrations, `${VERSIONS.later}-later.ts`), MIGRATION)
  return root
}
