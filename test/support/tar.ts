const BLOCK = 512

/** Returns the files of a tar archive by name, in the order of the archive. */
export function readTarFiles(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; at < archive.length && archive[at] !== 0; ) {
    const header = archive.subarray(at, at + BLOCK)
    const text = (from: number, length: number) =>
      header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
    const bytes = Number.parseInt(text(124, 12), 8)
    const prefix = text(345, 155)
    const name = prefix ? `${prefix}/${text(0, 100)}` : text(0, 100)
    files.set(name, archive.subarray(at + BLOCK, at + BLOCK + bytes))
    at += BLOCK + Math.ceil(bytes / BLOCK) * BLOCK
  }
  return files
}
