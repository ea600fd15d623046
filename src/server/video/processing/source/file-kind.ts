import { open } from 'node:fs/promises'
import type { Stream } from 'node-av/lib'
import { recogniseContainer } from '#shared/file-kind/containers.ts'
import { readHead } from '#shared/file-kind/file-head.ts'
import { FILE_HEAD_BYTES, recogniseFile } from '#shared/file-kind/recognise-file.ts'
import { VIDEO_FORMAT_NAMES } from '#shared/video-formats.ts'
import { damagedVideo, UnplayableSourceError } from '../media-errors.ts'

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

/** For a file that no demuxer takes, which may be a badly damaged video. */
export function unknownContainerError(head: Uint8Array): UnplayableSourceError {
  const kind = recogniseFile(head)
  if (kind === null) return notTaken('This file is not a video')
  return 'other' in kind ? notTaken(`This is ${kind.other}`) : damagedVideo()
}

/** @param what a sentence without its full stop */
function notTaken(what: string): UnplayableSourceError {
  return new UnplayableSourceError(`${what}; the site takes ${VIDEO_FORMAT_NAMES}.`)
}

/** Other codecs are shown in capitals, such as MP3. */
const SOUND_NAMES: Record<string, string> = {
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  nellymoser: 'Nellymoser',
  opus: 'Opus',
  speex: 'Speex',
  vorbis: 'Vorbis',
  wmalossless: 'WMA',
  wmapro: 'WMA',
  wmav1: 'WMA',
  wmav2: 'WMA',
  wmavoice: 'WMA',
}
/** Families with dozens of codecs, such as `pcm_s16le`. */
const SOUND_FAMILY = /^(adpcm|pcm)_/

/** @param codec FFmpeg's name */
export function soundFileError(codec: string): UnplayableSourceError {
  const [, family] = SOUND_FAMILY.exec(codec) ?? []
  return notTaken(`This is a sound file (${SOUND_NAMES[codec] ?? (family ?? codec).toUpperCase()})`)
}

const ENCRYPTED_TAGS = new Set(['encv', 'drmi'].map((tag) => Buffer.from(tag).readUInt32LE()))

export function requireUnencrypted({ codecpar }: Stream): void {
  if (!ENCRYPTED_TAGS.has(Number(codecpar.codecTag))) return
  throw new UnplayableSourceError('This is an encrypted video (MP4).')
}
