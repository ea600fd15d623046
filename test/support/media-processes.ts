import { readdir, readFile } from 'node:fs/promises'

/** Process ids of the children of a process, this one by default, that do media work. Linux only. */
export async function listMediaProcesses(
  parent: number | undefined = process.pid,
): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found: number[] = []
  for (const id of ids) {
    const [status, command] = await Promise.all(
      ['status', 'cmdline'].map((name) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')),
    )
    const isChild = status?.includes(`PPid:\t${parent}\n`) && !status.includes('State:\tZ')
    if (isChild && command?.includes('media-process.ts')) found.push(Number(id))
  }
  return found
}
