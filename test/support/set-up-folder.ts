import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A temporary folder, there before the tests of a file and removed after them. @returns its path */
export function setUpFolder(name: string): string {
  const path = join(tmpdir(), `clutch-${name}-${randomBytes(4).toString('hex')}`)
  beforeAll(() => mkdir(path, { mode: 0o700 }))
  afterAll(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}
