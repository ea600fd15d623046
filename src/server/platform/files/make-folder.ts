import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../errors.ts'

/**
 * Makes a folder with those above it. Node's own recursion never ends where none can be made: `/proc`.
 * @param path absolute
 * @param name what the person at the terminal calls the folder
 * @throws ConfigError when no folder can be made there
 */
export async function makeFolder(path: string, name = 'DATA_DIR'): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || path === dirname(path)) throw error
    await makeFolder(dirname(path), name)
    await mkdir(path).catch((again: NodeJS.ErrnoException) => {
      if (again.code === 'EEXIST') return
      if (again.code !== 'ENOENT') throw again
      throw new ConfigError(`${name} is '${path}', where no folder can be made.`)
    })
  }
}
