import {
  type ContainerFacts,
  type RecordingName,
  readRecordingName,
} from '#shared/recording-name.ts'
import { readBytes } from '../mp4-boxes.ts'
import { folderOf } from './file-folder.ts'

const EBML = 0x1a45dfa3

/** What name and folder of a file say of its recording, and the file itself where it was read. */
export function recogniseName(
  file: Pick<File, 'name'> & Partial<File>,
  categories: readonly string[] | undefined,
  container?: ContainerFacts,
): RecordingName | undefined {
  const folder = file instanceof File ? folderOf(file) : undefined
  const { name, lastModified: modifiedAt } = file
  return readRecordingName(name, { categories, folder, modifiedAt, container })
}

/** What a file itself says of its recording; nothing where it cannot be read now, which is said when it is sent. */
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
