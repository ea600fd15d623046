import type { ContainerFacts } from '../recording-name.ts'
import { type ReadableFile, readBytes } from './mp4-boxes.ts'

const EBML = 0x1a45dfa3

/** Returns an empty object for a file that cannot be read. */
export async function readContainer(file: ReadableFile): Promise<ContainerFacts> {
  try {
    const head = await readBytes(file, 0, 4)
    const isMatroska = head.byteLength === 4 && head.getUint32(0) === EBML
    if (isMatroska) return await (await import('./matroska-facts.ts')).readMatroskaFacts(file)
    return await (await import('./mp4-facts.ts')).readMp4Facts(file)
  } catch {
    return {}
  }
}
