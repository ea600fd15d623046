import type { FileHandle } from 'node:fs/promises'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'

/** A recording in the library of another program. */
export type ForeignFile = {
  bytes: number
  changedAt: Date
  /** @throws FileChangedError if it is not the file that was found */
  open: () => Promise<FileHandle>
}

export type ForeignVideo = {
  id: string
  /** Path in the library. The report uses it as the name. */
  path: string
  details: UploadDetails
  /** The default is the time of the file. */
  publishedAt: Date | undefined
  views: number
  crop: { startSeconds: number; endSeconds: number | null } | null
  /** The video gets a share link with this hash, see `verifyLinkPassword`. */
  passwordHash: string | undefined
  notes: string[]
  /** @throws AppError with a sentence for the report */
  findFile: () => Promise<ForeignFile>
}

export type ForeignProblem = { path: string; sentence: string }

export type ForeignLibrary = {
  /** In the order in which they are imported. */
  videos: ForeignVideo[]
  /** What cannot be read. */
  problems: ForeignProblem[]
  /** Sentences about what is never imported. */
  notes: string[]
  close?: () => Promise<void>
}

/** Reads the libraries of one other program. */
export type ImportSource = {
  /** The arguments after the name of the source, for the usage of the command. */
  usage: string
  /**
   * @param input.path of the library, absolute
   * @param input.videosFolder absolute, from the option `--videos`
   * @param input.categories that take new videos
   * @throws CommandError if it is no such library
   */
  read: (input: {
    path: string
    videosFolder: string | undefined
    categories: readonly string[]
  }) => Promise<ForeignLibrary>
}
