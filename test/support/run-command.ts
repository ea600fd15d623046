import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnvironment, childFolder } from './child-environment.ts'
import { mediaVariables } from './media-variables.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Runs one of the site's commands on a data folder, in a process of its own, to its end. */
export async function runCommand(
  name: string,
  options: { dataFolder: string; args?: string[]; root?: string; env?: Record<string, string> },
): Promise<{ code: number; out: string; err: string }> {
  const variables = await mediaVariables(options.dataFolder)
  const ended = await runAlone(name, { ...options, env: { ...variables, ...options.env } })
  // It only gives files to a folder.
  const { MEDIA_STORE: store } = variables
  if (name !== 'seed' || !store || ended.code !== 0) return ended
  const args = ['folder', store]
  const moved = await runAlone('move-media', { ...options, args, env: variables })
  return moved.code === 0 ? ended : moved
}

async function runAlone(
  name: string,
  options: { dataFolder: string; args?: string[]; root?: string; env: Record<string, string> },
): Promise<{ code: number; out: string; err: string }> {
  const folder = name === 'seed' || name === 'demo' ? ['tools'] : ['server', 'command']
  const script = join(options.root ?? ROOT, 'src', ...folder, `${name}.ts`)
  const child = spawn(process.execPath, [script, ...(options.args ?? [])], {
    cwd: childFolder,
    env: { ...childEnvironment, ...options.env, DATA_DIR: options.dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code: code as number, out, err }
}
