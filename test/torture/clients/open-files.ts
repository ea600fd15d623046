import { readdir, readlink } from 'node:fs/promises'

/** What a process holds open, as Linux names it: the paths of files, and `socket:` with a number. */
export async function listOpen(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder)
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
}

/** How much of it, by kind; of the files those in a folder. */
export async function countOpenFiles(
  pid: number,
  folder = '/',
): Promise<{ files: number; sockets: number }> {
  const open = await listOpen(pid)
  const count = (begin: string) => open.filter((name) => name.startsWith(begin)).length
  return { files: count(folder), sockets: count('socket:') }
}
