import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '#test/support/server-process.ts'

/** What a server needs in its environment so that its memory can be looked at. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

type MemoryReading = { heapBytes: number; residentBytes: number }

/**
 * Lets a server collect its garbage and reports what it still holds.
 * @param server one that was started with `INSPECTED`
 */
export async function readSettledMemory(server: ServerProcess): Promise<MemoryReading> {
  const address = /ws:\/\/\S+/.exec(server.output.join(''))?.[0]
  if (!address) throw new Error('The server was not started to be inspected.')
  const inspector = await openInspector(address)
  // What is freed by one collection may free more in the next; the system gets its pages back later.
  for (let round = 0; round < 4; round++) {
    await inspector.call('HeapProfiler.collectGarbage')
    await pause(1000)
  }
  const { usedSize } = await inspector.call('Runtime.getHeapUsage')
  inspector.close()
  return { heapBytes: Number(usedSize), residentBytes: await readResidentBytes(server.pid) }
}

/** What a process has in memory, in bytes; 0 where the system does not report it or it is gone. */
export async function readResidentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

async function openInspector(address: string) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  let calls = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer.')))
  })
  return {
    call: (method: string) =>
      new Promise<Record<string, unknown>>((resolve) => {
        waiting.set(++calls, resolve)
        socket.send(JSON.stringify({ id: calls, method }))
      }),
    close: () => socket.close(),
  }
}
