import { stat } from 'node:fs/promises'
import { InputFormat } from 'node-av/lib'
import { UnplayableSourceError } from '../media-errors.ts'
import { otherContentError, readFileHead, unknownContainerError } from './file-kind.ts'

export type Container = 'mp4' | 'avi' | 'matroska' | StreamedContainer

/**
 * Jumping clocks and mostly no index: tasks use a Matroska copy. See
 * docs/decisions/0065-streamed-containers.md.
 */
export type StreamedContainer = 'flv' | 'mpegts' | 'mpegps' | 'asf' | 'ogg'

/** By FFmpeg's demuxer names. */
const containers: Record<string, Container> = {
  'mov,mp4,m4a,3gp,3g2,mj2': 'mp4',
  avi: 'avi',
  'matroska,webm': 'matroska',
  flv: 'flv',
  mpegts: 'mpegts',
  mpeg: 'mpegps',
  asf: 'asf',
  ogg: 'ogg',
}

export function isStreamed(container: Container): container is StreamedContainer {
  return container !== 'mp4' && container !== 'avi' && container !== 'matroska'
}

const probeBytes = 256 * 1024

/** @throws UnplayableSourceError for other containers */
export async function detectContainer(path: string) {
  const { size: sizeBytes } = await stat(path)
  if (sizeBytes === 0) throw new UnplayableSourceError('The file is empty.')
  const head = await readFileHead(path, probeBytes)
  const format = InputFormat.probe(head)
  const container = containers[format?.name ?? '']
  if (!format || !container) throw unknownContainerError(head)
  // MP4 containers may hold an image or only sound.
  const other = otherContentError(head)
  if (other) throw other
  return { format, container, sizeBytes }
}
