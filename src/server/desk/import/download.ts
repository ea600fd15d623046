import type { FileHandle } from 'node:fs/promises'
import type { Disk } from '#server/platform/files/disk.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { fetchFile, noSpace, probeFile, type WantedFile } from '#server/video/fetch/fetch-file.ts'
import type { ForeignFile, OnFetched } from './foreign-library.ts'
import { openTemporaryFile } from './temporary-file.ts'

type Download = WantedFile & { onFetched?: OnFetched | undefined }

export type DownloadDeps = { outgoing: Outgoing; disk: Disk }

/** @throws AppError with a sentence for the report */
export async function findDownload(deps: DownloadDeps, wanted: Download): Promise<ForeignFile> {
  const bytes = (await probeFile(deps, wanted)) ?? 0
  return {
    ...{ bytes, changedAt: new Date(), isMade: true },
    open: (onFetched) => download(deps, { ...wanted, onFetched }),
  }
}

/**
 * @returns a file that goes when it is closed
 * @throws AppError with a sentence for the report
 */
export async function download(deps: DownloadDeps, wanted: Download): Promise<FileHandle> {
  const file = await openTemporaryFile(deps.disk)
  try {
    await fetchFile(deps, wanted, {
      ...{ at: 0, validator: undefined },
      async begin({ start }) {
        if (start === 0) await file.truncate(0)
      },
      async write(piece, at) {
        await file.write(piece, 0, piece.length, at)
        wanted.onFetched?.(at + piece.length)
      },
    })
    return file
  } catch (error) {
    await file.close()
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noSpace()
    throw error
  }
}
