import { readFile } from 'node:fs/promises'

const LOOK_MS = 40

/** What the work on any file may take, in resident memory. */
export const CHILD_MAX_BYTES = 1024 ** 3

/** Watches the processes in which a server works on media; a system that does not tell has none. */
export function watchMediaChildren(serverId: number) {
  const seen = new Set<number>()
  let peakBytes = 0
  let stopped = false
  const work = (async () => {
    while (!stopped) {
      for (const id of await listChildren(serverId)) {
        seen.add(id)
        peakBytes = Math.max(peakBytes, await readPeak(id))
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  })()
  return {
    async stop(): Promise<{ count: number; peakBytes: number; left: number }> {
      stopped = true
      await work
      return { count: seen.size, peakBytes, left: (await listChildren(serverId)).length }
    },
  }
}

async function listChildren(serverId: number): Promise<number[]> {
  const path = `/proc/${serverId}/task/${serverId}/children`
  const ids = await readFile(path, 'utf8').catch(() => '')
  return ids.split(' ').filter(Boolean).map(Number)
}

/** The most that a process ever had in memory, as the system counts it. */
async function readPeak(id: number): Promise<number> {
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
