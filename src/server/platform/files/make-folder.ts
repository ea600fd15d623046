import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../errors.ts'

/**
 * Node's recursive mkdir hangs below `/proc`.
 * @param path absolute
 * @param name for the message
 * @throws ConfigError
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
