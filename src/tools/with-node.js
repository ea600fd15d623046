/**
 * Runs a program with the Node that `npm ci` installed: `node src/tools/with-node.js PROGRAM
 * [ARGUMENT…]`. This is plain JavaScript for whatever Node the system has. npm older than 11.6.2
 * omits the link `node_modules/.bin/node`, so the binary is looked up in the package of the
 * platform. Its folder comes first in PATH, for tools that begin with `#!/usr/bin/env node` and
 * their children. See docs/decisions/0002-node-and-no-install-scripts.md.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** All that would end this process, and Node's own SIGUSR1, which opens its debugger. */
const FORWARDED_SIGNALS = [
  ...['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'],
  ...['SIGABRT', 'SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGXFSZ', 'SIGIO', 'SIGSYS', 'SIGTRAP'],
]
/** npm 6 and older do not read the lock file. */
const OLDEST_NPM = 7
/** Exit code of shells for a missing program. */
const NOT_FOUND = 127

const node = findNode()
if (node === undefined) fail(describeMissingNode())
else run(node)

/** @returns undefined where the package of this platform is missing */
function findNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const isWindows = process.platform === 'win32'
  const platform = `-${isWindows ? 'win' : process.platform}-${process.arch}`
  const name = Object.keys(optionalDependencies).find((one) => one.endsWith(platform))
  if (name === undefined) return undefined
  const path = join(ROOT, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  return existsSync(path) ? path : undefined
}

function describeMissingNode() {
  const [, npmMajor] = /^npm\/(\d+)/.exec(process.env.npm_config_user_agent || '') || []
  return npmMajor < OLDEST_NPM
    ? `npm ${npmMajor} is too old to install Clutch: install Node.js 20 or newer, which brings a newer npm, then run \`npm ci\`.`
    : `Node for ${process.platform} on ${process.arch} is missing in node_modules: run \`npm ci\`.`
}

function run(path) {
  const [program, ...words] = process.argv.slice(2)
  const env = { ...process.env, PATH: `${dirname(path)}${delimiter}${process.env.PATH}` }
  // PATH would lead to the system's Node where this one cannot run.
  const command = program === 'node' ? path : program
  const child = spawn(command, words, { argv0: program, env, stdio: 'inherit' })
  const forward = (signal) => child.kill(signal)
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward)
  child.on('error', ({ code }) =>
    fail(
      command === path
        ? `The Node in node_modules cannot run here (${code}): it is for Linux with glibc, such as Debian or Fedora, macOS and Windows.`
        : `${program} cannot be started (${code}).`,
    ),
  )
  child.on('exit', (code, signal) => {
    for (const one of FORWARDED_SIGNALS) process.off(one, forward)
    // The parent process sees the same signal.
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code
  })
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = NOT_FOUND
}
