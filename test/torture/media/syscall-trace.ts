import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

/**
 * Has the system write down which files a server and its children open and whom they connect to.
 * @returns undefined where there is no strace, or it may not look
 */
export async function traceSyscalls(serverId: number, path: string) {
  if (spawnSync('strace', ['-V']).status !== 0) return undefined
  const what = ['-f', '-qq', '-e', 'trace=open,openat,connect', '-e', 'signal=none', '-s', '200']
  const strace: ChildProcess = spawn('strace', [...what, '-o', path, '-p', String(serverId)], {
    stdio: 'ignore',
  })
  const ended = once(strace, 'exit')
  const early = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1500))])
  if (early) return undefined
  return {
    /** The lines of all calls. */
    async stop(): Promise<string[]> {
      strace.kill('SIGINT')
      await ended
      return (await readFile(path, 'utf8')).split('\n')
    },
  }
}
