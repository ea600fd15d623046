import { MAX_QUEUED_FILES } from '#shared/limits.ts'
import { hasVideoName } from '../form/video-file.ts'
import { keepFolder } from '../recording/file-folder.ts'

export type ChosenFiles = {
  files: File[]
  /** In folders. */
  otherCount: number
  /** Beyond the queue's limit. */
  leftOutCount: number
}

/** Read during the event. */
export type Dropped = { files: File[]; entries: (FileSystemEntry | null)[] }

/** Keeps the order; other files are refused one by one. */
export function listedFiles(list: Iterable<File>): ChosenFiles {
  const all = [...list]
  const files = all.slice(0, MAX_QUEUED_FILES)
  return { files, otherCount: 0, leftOutCount: all.length - files.length }
}

/** Folders are searched by name; only files that fit the queue are opened. */
export async function droppedFiles({ files: list, entries }: Dropped): Promise<ChosenFiles> {
  if (!entries.some((entry) => entry?.isDirectory)) return listedFiles(list)
  const found: FileSystemFileEntry[] = []
  let [otherCount, leftOutCount] = [0, 0]
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (isFolder(entry)) for (const inner of await readFolder(entry)) await walk(inner)
    else if (!hasVideoName(entry.name)) otherCount++
    else if (found.length === MAX_QUEUED_FILES) leftOutCount++
    else found.push(entry as FileSystemFileEntry)
  }
  for (const entry of entries) if (entry) await walk(entry)
  const files = await Promise.all(found.map(openFile))
  return { files: files.filter((file) => file !== undefined), otherCount, leftOutCount }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** By name; empty if unreadable. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (some.length === 0) return all.sort((a, b) => a.name.localeCompare(b.name))
    all.push(...some)
  }
}

/** Undefined if deleted meanwhile. */
function openFile(entry: FileSystemFileEntry): Promise<File | undefined> {
  return new Promise((resolve) => {
    const take = (file: File) => {
      keepFolder(file, entry.fullPath)
      resolve(file)
    }
    entry.file(take, () => resolve(undefined))
  })
}

/** 'The first 100 of 340 videos were taken. 12 other files are not videos.' */
export function leftOutSentence(chosen: ChosenFiles): string | undefined {
  const { files, otherCount, leftOutCount } = chosen
  const number = (count: number) => count.toLocaleString('en')
  const sentences = [
    leftOutCount > 0 &&
      `The first ${number(files.length)} of ${number(files.length + leftOutCount)} videos were taken: the queue holds ${MAX_QUEUED_FILES}. Add the rest when these are uploaded.`,
    otherCount > 0 &&
      `${number(otherCount)} ${otherCount === 1 ? 'file that is no video was' : 'files that are no videos were'} left out.`,
    files.length + leftOutCount === 0 && 'There is no video in it.',
  ]
  return sentences.filter(Boolean).join(' ') || undefined
}
