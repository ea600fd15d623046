import {
  type ContainerFacts,
  type RecordingName,
  readRecordingName,
} from '#shared/recording-name.ts'
import { readBytes } from '../mp4-boxes.ts'
import { folderOf } from './file-folder.ts'

const EBML = 0x1a45dfa3

/**
 * Recognises a recording by the name and folder of its file.
 * @param container what was read from the file itself
 */
export function recogniseName(
  file: Pick<File, 'name'> & Partial<File>,
  categories: readonly string[] | undefined,
  container?: ContainerFacts,
): RecordingName | undefined {
  const folder = file instanceof File ? folderOf(file) : undefined
  const { name, lastModified: modifiedAt } = file
  return readRecordingName(name, { categories, folder, modifiedAt, container })
}

/** Reads the facts of a recording from the file itself. They are empty when it cannot be read; sending it reports that. */
export async function readContainer(file: File): Promise<ContainerFacts> {
  try {
    const head = await readBytes(file, 0, 4)
    const isMatroska = head.byteLength === 4 && head.getUint32(0) === EBML
    if (isMatroska) return await (await import('./matroska-facts.ts')).readMatroskaFacts(file)
    return await (await import('./mp4-facts.ts')).readMp4Facts(file)
  } catch {
    return {}
  }
}
