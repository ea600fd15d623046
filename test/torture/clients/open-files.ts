import { readdir, readlink } from 'node:fs/promises'

/** What a process holds open, by kind. */
export async function countOpenFiles(pid: number): Promise<{ files: number; sockets: number }> {
  const folder = `/proc/${pid}/fd`
  const targets = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  )
  const sockets = targets.filter((target) => target.startsWith('socket:')).length
  const files = targets.filter((target) => target.startsWith('/')).length
  return { files, sockets }
}
