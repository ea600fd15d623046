import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'
import { findFfmpeg } from './ffmpeg-ladder.ts'
import { findNginx } from './nginx.ts'

const GIBIBYTE = 1024 ** 3

/** The machine and what the floors are made of, in one line. */
export function describeMachine(): string {
  const processors = cpus()
  const parts = [
    `${processors[0]?.model.trim() || 'unknown processor'}, ${processors.length} cores`,
    `${Math.round(totalmem() / GIBIBYTE)} GiB of memory`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    `nginx ${findNginx() ?? 'not installed'}`,
    `ffmpeg ${findFfmpeg() ?? 'not installed'}`,
  ]
  return parts.join(', ')
}

/** The commit that was measured, and whether files differ from it; undefined outside a checkout. */
export function describeCommit(): string | undefined {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    const changed = git('status', '--porcelain', '--', ':/src', ':/package-lock.json') !== ''
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed ? ' with changes' : ''}`
  } catch {
    return undefined
  }
}
