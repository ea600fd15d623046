import { open } from 'node:fs/promises'
import type { Stream } from 'node-av/lib'
import { recogniseContainer } from '#shared/file-kind/containers.ts'
import { readHead } from '#shared/file-kind/file-head.ts'
import { FILE_HEAD_BYTES, recogniseFile } from '#shared/file-kind/recognise-file.ts'
import { VIDEO_FORMAT_NAMES } from '#shared/video-formats.ts'
import { UnplayableSourceError } from '../media-errors.ts'

export async function readFileHead(path: string, bytes = FILE_HEAD_BYTES): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export function otherKindError(head: Uint8Array): UnplayableSourceError | null {
  const kind = recogniseFile(head)
  return kind && 'other' in kind ? notTaken(`This is ${kind.other}`) : null
}

export function otherContentError(head: Uint8Array): UnplayableSourceError | null {
  const kind = recogniseContainer(readHead(head.subarray(0, FILE_HEAD_BYTES)))
  return kind && 'other' in kind ? notTaken(`This is ${kind.other}`) : null
}

/** @param what a sentence without full stop */
export function notTaken(what: string): UnplayableSourceError {
  return new UnplayableSourceError(`${what}; the site takes ${VIDEO_FORMAT_NAMES}.`)
}

const SOUND_NAMES: Record<string, string> = {
  aac: 'AAC',
  alac: 'ALAC',
  flac: 'FLAC',
  mp3: 'MP3',
  opus: 'Opus',
  vorbis: 'Vorbis',
  wmav2: 'WMA',
}

/** @param codec FFmpeg's name */
export function soundFileError(codec: string): UnplayableSourceError {
  return notTaken(`This is a sound file (${SOUND_NAMES[codec] ?? codec.toUpperCase()})`)
}

const ENCRYPTED_TAGS = new Set(['encv', 'drmi'].map((tag) => Buffer.from(tag).readUInt32LE()))

export function requireUnencrypted({ codecpar }: Stream): void {
  if (!ENCRYPTED_TAGS.has(Number(codecpar.codecTag))) return
  throw new UnplayableSourceError('This is an encrypted video (MP4).')
}
