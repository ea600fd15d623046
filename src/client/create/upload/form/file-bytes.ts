import { FILE_HEAD_BYTES, recogniseFile } from '#shared/file-kind/recognise-file.ts'
import { VIDEO_FORMAT_NAMES } from '#shared/video-formats.ts'

/**
 * By the first bytes.
 * @returns a sentence when the site does not accept the file
 * @throws when the file cannot be read
 */
export async function fileKindProblem(file: File): Promise<string | undefined> {
  const kind = recogniseFile(new Uint8Array(await file.slice(0, FILE_HEAD_BYTES).arrayBuffer()))
  if (kind && 'video' in kind) return undefined
  const what = kind?.other ?? 'not a video'
  return `“${file.name}” is ${what}. Choose a video: ${VIDEO_FORMAT_NAMES}.`
}
