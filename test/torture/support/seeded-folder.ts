import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment, childFolder } from '#test/support/child-environment.ts'

const SEED = join(import.meta.dirname, '..', '..', '..', 'src', 'tools', 'seed.ts')

/** A site in full use, as rows go; its videos lie elsewhere. */
export const FULL_SITE = { users: 500, videos: 10_000, comments: 100_000 }

/** Fills a new data folder with demo content. */
export async function seedFolder(
  dataFolder: string,
  sizes: { users: number; videos: number; comments: number },
): Promise<void> {
  const words = Object.entries(sizes).flatMap(([name, size]) => [`--${name}`, String(size)])
  const child = spawn(process.execPath, [SEED, ...words, '--until', '2026-11-01'], {
    cwd: childFolder,
    env: { ...childEnvironment, DATA_DIR: dataFolder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The site could not be seeded.')
}
