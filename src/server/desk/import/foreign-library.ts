import type { FileHandle } from 'node:fs/promises'
import type { Config } from '#server/platform/config.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import type { TimelineMarker } from '#server/video/moment/moment.queries.ts'
import { FileChangedError, readAt } from '#server/video/upload/local-file.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'

/** Is called with all bytes so far while a file is fetched. */
export type OnFetched = (bytes: number) => void

/** A file in the library of another program. */
export type ForeignFile = {
  /** An estimate if the file `isMade`. */
  bytes: number
  changedAt: Date
  /** Opening fetches or makes the file, so a dry run leaves it out. */
  isMade?: boolean
  /** @throws FileChangedError if it is not the file that was found; other AppErrors if it `isMade` */
  open: (onFetched?: OnFetched) => Promise<FileHandle>
}

export type ForeignArchive = {
  /**
   * @param path relative to the archive
   * @throws AppError with a sentence for the report
   */
  find: (path: string) => Promise<ForeignFile>
  close: () => Promise<void>
}

/** @throws AppError with a sentence for the report */
export type FindFile = () => Promise<ForeignFile>

export type ForeignVideo = {
  id: string
  /** Path in the library. The report uses it as the name. */
  path: string
  fileName: string
  details: UploadDetails
  /** The default is the time of the file. */
  publishedAt: Date | undefined
  views: number
  notes: string[]
  findFile: FindFile
  crop?: { startSeconds: number; endSeconds: number | null } | null
  /** The video gets a share link with this hash, see `verifyLinkPassword`. */
  passwordHash?: string | undefined
  /** A PNG or JPEG. */
  findPicture?: FindFile | undefined
  captions?: { language: string; find: FindFile }[]
  moments?: TimelineMarker[]
  settings?: { commentsOff: 0 | 1; allowsDownload: 0 | 1 }
}

export type ForeignPlaylist = {
  title: string
  description: string
  visibility: Visibility
  isWatchLater: boolean
  /** Ids of videos of the library. */
  videoIds: string[]
}

export type ForeignProblem = { path: string; sentence: string }

export type ForeignLibrary = {
  /** In the order in which they are imported. */
  videos: ForeignVideo[]
  playlists: ForeignPlaylist[]
  /** What cannot be read. */
  problems: ForeignProblem[]
  /** Sentences about what is never imported. */
  notes: string[]
  close?: () => Promise<void>
}

/** Options of the command that only some sources have. */
export const SOURCE_OPTIONS = ['videos', 'title', 'token-file', 'author'] as const
export type SourceOption = (typeof SOURCE_OPTIONS)[number]

/** Reads the libraries of one other program. */
export type ImportSource = {
  /** The arguments after the name of the source, for the usage of the command. */
  usage: string
  options?: readonly SourceOption[]
  /**
   * @param input.given the argument of the command, such as an address
   * @param input.path the same as an absolute path
   * @param input.categories that take new videos
   * @param input.maxBytes of a recording
   * @throws CommandError if it is no such library
   */
  read: (input: {
    given: string
    path: string
    options: Partial<Record<SourceOption, string>>
    categories: readonly string[]
    maxBytes: number
    config: Pick<Config, 'ytDlp'>
    disk: Disk
    outgoing: Outgoing
  }) => Promise<ForeignLibrary>
}

/** @throws AppError */
export async function readForeignFile(find: FindFile, bytesMax: number): Promise<Buffer> {
  const tooLarge = () => new AppError('too-large', 'The file is too large.')
  const { bytes, open } = await find()
  if (bytes > bytesMax) throw tooLarge()
  const file = await open()
  try {
    const { size } = await file.stat()
    if (size > bytesMax) throw tooLarge()
    const content = await readAt(file, 0, size)
    if (content.length < size) throw new FileChangedError()
    return content
  } finally {
    await file.close()
  }
}
