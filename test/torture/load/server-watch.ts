import { readFile, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { LoopDelay } from './loop-delay.ts'

const LOOK_MS = 500
/** The unit of /proc/<pid>/stat on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
const WRITTEN_WITHIN_MS = 10_000

/** Looks at a server's memory, and at whether it has media work done, twice a second. Linux only. */
export function watchServer(pid: number) {
  const [memory, works] = [[] as number[], [] as boolean[]]
  const before = readCpuSeconds(pid)
  const began = performance.now()
  const timer = setInterval(async () => {
    memory.push(await readMegabytes(pid))
    works.push(await hasMediaChild(pid))
  }, LOOK_MS)
  return {
    async stop() {
      clearInterval(timer)
      const cpuSeconds = (await readCpuSeconds(pid)) - (await before)
      return {
        /** Of one core, by the server without the children that do media work. */
        cpuShare: cpuSeconds / ((performance.now() - began) / 1000),
        cpuSeconds,
        /** Megabytes. */
        memoryPeak: Math.max(...memory),
        /** The share of looks in which a child did media work. */
        mediaShare: works.filter(Boolean).length / Math.max(1, works.length),
      }
    },
  }
}

/** What held up the server's event loop since this was asked last. */
export async function readLoopDelay(pid: number, file: string): Promise<LoopDelay> {
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const deadline = performance.now() + WRITTEN_WITHIN_MS
  while (performance.now() < deadline) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text) return JSON.parse(text) as LoopDelay
    await pause(20)
  }
  throw new Error('The server did not say how long its event loop was held up.')
}

async function readMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** Of a process and its threads. */
export async function readCpuSeconds(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name in brackets and may hold spaces.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function hasMediaChild(pid: number): Promise<boolean> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  for (const child of children.split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('media-process')) return true
  }
  return false
}
