import {
  type ContainerFacts,
  type RecordingName,
  readRecordingName,
} from '#shared/recording-name.ts'
import { folderOf } from './file-folder.ts'

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
