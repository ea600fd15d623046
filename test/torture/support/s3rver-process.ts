import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '#test/support/child-environment.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import { ROOT } from './run-tests.ts'
import type { StoreServer } from './store-server.ts'

const COMMAND = join(ROOT, 'node_modules', 's3rver', 'bin', 's3rver.js')
const BUCKET = 'clutch'
const KEY = 'S3RVER'

/** The S3 server of the tests, in a process of its own. @param folder is made, and holds its objects */
export async function startS3rver(folder: string): Promise<StoreServer> {
  await mkdir(folder, { recursive: true })
  const port = await findFreePort()
  const endpoint = `http://127.0.0.1:${port}`
  let child: ChildProcess
  const killChild = () => void child.kill('SIGKILL')
  process.once('exit', killChild)

  async function start(): Promise<void> {
    await dropHalfWritten(folder)
    const place = ['--directory', folder, '--address', '127.0.0.1', '--port', String(port)]
    child = spawn(process.execPath, [COMMAND, ...place, '--silent', '--configure-bucket', BUCKET], {
      env: childEnvironment,
      stdio: 'ignore',
    })
    await until(async () => {
      const answer = await fetch(endpoint).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
      return answer !== undefined
    })
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    killChild()
    await exited
  }

  await start()
  return {
    name: 's3rver',
    endpoint,
    mediaVariables: (prefix, through = endpoint) => ({
      MEDIA_STORE: `s3://${BUCKET}/${prefix}`,
      MEDIA_S3_ENDPOINT: through,
      MEDIA_S3_REGION: 'us-east-1',
      MEDIA_S3_ACCESS_KEY_ID: KEY,
      MEDIA_S3_SECRET_ACCESS_KEY: KEY,
    }),
    start,
    kill,
    async stop() {
      await kill()
      process.off('exit', killChild)
    },
  }
}

/** It writes what it knows of an object in place, so a kill leaves half of it, at which it answers 500 for ever. */
async function dropHalfWritten(folder: string): Promise<void> {
  for await (const name of glob('**/*._S3rver_metadata.json', { cwd: folder })) {
    const path = join(folder, name)
    try {
      JSON.parse(await readFile(path, 'utf8'))
    } catch {
      await rm(path, { force: true })
    }
  }
}
