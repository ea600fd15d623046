import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { formatBytes } from '#shared/text/format.ts'
import { VIDEO_EXTENSIONS } from '#shared/video-formats.ts'

/** Browsers lack MIME types of some formats. */
export const VIDEO_ACCEPT = ['video/*', ...VIDEO_EXTENSIONS.map((one) => `.${one}`)].join()

type FileFacts = Pick<File, 'name' | 'size'>

export function hasVideoName(name: string): boolean {
  return VIDEO_EXTENSIONS.includes(name.split('.').at(-1)?.toLowerCase() ?? '')
}

/** @returns a sentence, if the file cannot be uploaded */
export function videoFileProblem(file: FileFacts, maxBytes: number): string | undefined {
  if (file.size === 0) return `“${file.name}” is empty. Choose another file.`
  if (file.size > maxBytes) {
    return `“${file.name}” has ${formatBytes(file.size)}; a video may have at most ${formatBytes(maxBytes)}.`
  }
}

export function chunkCountOf(fileSize: number): number {
  return Math.ceil(fileSize / UPLOAD_CHUNK_BYTES)
}

/** '1.24 MB'; always in MB. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(2)} MB`
}
