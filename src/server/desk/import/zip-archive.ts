import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { AppError, CommandError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { formatBytes } from '#shared/text/format.ts'
import type { ForeignArchive } from './foreign-library.ts'
import { openTemporaryFile } from './temporary-file.ts'

const ENTRIES_MAX = 100_000
/** Recordings are compressed already and hardly shrink. Zeros shrink to about a thousandth. */
const RATIO_MAX = 200
const RATIO_FROM_BYTES = 16 * 1024 * 1024
const FILE_TYPE = 0o170000
const SYMBOLIC_LINK = 0o120000

/**
 * Opens an untrusted ZIP archive. Files are unpacked one at a time, when they are opened.
 * @throws CommandError with the reason why the whole archive is refused
 */
export async function openZipArchive(
  path: string,
  { disk }: { disk: Disk },
): Promise<ForeignArchive> {
  const refuse = (reason: string) => new CommandError(`${path} cannot be imported: ${reason}`)
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch(
    (error: Error) => {
      throw refuse(`it is no ZIP archive (${error.message}).`)
    },
  )
  try {
    if (zip.entryCount > ENTRIES_MAX) {
      const [count, most] = [zip.entryCount, ENTRIES_MAX].map((one) => one.toLocaleString('en'))
      throw refuse(`it has ${count} files, and at most ${most} are read.`)
    }
    const entries = await listEntries(zip).catch((error: Error) => {
      throw refuse(
        error instanceof AppError ? error.message : `its directory is invalid (${error.message}).`,
      )
    })
    return {
      async find(name) {
        const entry = entries.get(name)
        if (!entry) throw new AppError('not-found', 'The file is missing.')
        const bytes = entry.uncompressedSize
        if (bytes === 0) throw new AppError('invalid', 'The file is empty.')
        return { bytes, changedAt: entry.getLastModDate(), open: () => unpack(zip, entry, disk) }
      },
      close: async () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry
    requireHarmless(entry)
    if (entries.has(name)) throw new AppError('invalid', `it has two files ${name}.`)
    if (!name.endsWith('/')) entries.set(name, entry)
  }
  return entries
}

/** The library refuses absolute paths and paths with `..`, and files that are larger than they say. */
function requireHarmless(entry: Entry): void {
  const { fileName: name, uncompressedSize: bytes, compressedSize } = entry
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE
  if (type === SYMBOLIC_LINK) throw new AppError('invalid', `${name} is a link.`)
  if (entry.isEncrypted()) throw new AppError('invalid', `${name} is encrypted.`)
  if (!entry.canDecodeFileData()) {
    throw new AppError('invalid', `${name} is compressed in an unknown way.`)
  }
  if (bytes > RATIO_FROM_BYTES && bytes > RATIO_MAX * compressedSize) {
    const sizes = `${formatBytes(compressedSize)} unpack to ${formatBytes(bytes)}`
    throw new AppError('invalid', `${name} is no recording, since its ${sizes}.`)
  }
}

/** @throws `no-space`, and `unprocessable` if the file is damaged */
async function unpack(zip: ZipFile, entry: Entry, disk: Disk): Promise<FileHandle> {
  if (entry.uncompressedSize > (await disk.freeBytes())) throw noSpace()
  const file = await openTemporaryFile(disk)
  try {
    let checksum = 0
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      checksum = crc32(piece as Buffer, checksum)
      await file.writeFile(piece as Buffer)
    }
    if (checksum !== entry.crc32) throw damaged()
    return file
  } catch (error) {
    await file.close()
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw noSpace()
    throw error instanceof AppError ? error : damaged()
  }
}

const damaged = () => new AppError('unprocessable', 'The file is damaged in the archive.')
const noSpace = () => new AppError('no-space', 'There is no room left to unpack the archive.')
