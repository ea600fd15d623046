/**
 * Runs a program with the Node that `npm ci` installed: `node src/tools/with-node.js PROGRAM [ARGUMENT…]`.
 *
 * Plain JavaScript for whatever Node the system has, from 16 on. npm older than 11.6.2 leaves out the link
 * `node_modules/.bin/node`, so the binary is looked for in its package. Its folder comes first in PATH, where tools that
 * start with `#!/usr/bin/env node` find it. See docs/decisions/0002-node-and-no-install-scripts.md.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** What ends a process or is meant for it. Node has no handler for SIGKILL and SIGSTOP. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
const NOT_STARTED = 127

const node = findNode()
if (node) run(node)
else {
  process.stderr.write(
    `The Node that comes with Clutch is missing in node_modules: run \`npm ci\`.\n`,
  )
  process.exitCode = NOT_STARTED
}

function findNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const platform = `-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = Object.keys(optionalDependencies).find((one) => one.endsWith(platform))
  if (name === undefined) return undefined
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(ROOT, 'node_modules', name, 'bin', file)
  return existsSync(path) ? path : undefined
}

function run(path) {
  const [program, ...words] = process.argv.slice(2)
  const env = { ...process.env, PATH: `${dirname(path)}${delimiter}${process.env.PATH ?? ''}` }
  const child = spawn(program, words, { env, stdio: 'inherit' })
  const forward = (signal) => child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, forward)
  child.on('error', (error) => {
    process.stderr.write(`${program} cannot be started: ${error.message}\n`)
    process.exitCode = NOT_STARTED
  })
  child.on('exit', (code, signal) => {
    for (const one of FORWARDED) process.off(one, forward)
    // Ends in the same way, so that whoever waits for this process sees the signal too.
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code ?? 1
  })
}
