import { type Dropped, droppedFiles, listedFiles } from './chosen-files.ts'
import type { Replaced } from './queue-intake.ts'
import { uploadQueue } from './site-queue.ts'

export async function takeDropped(dropped: Dropped): Promise<void> {
  uploadQueue.add(await droppedFiles(dropped))
}

export function takeRecording(file: File, video: Replaced): void {
  uploadQueue.replaceRecording(file, video)
}

/** After one was added. */
export function takeFetches(): void {
  uploadQueue.loadFetches()
}

export function takeFiles(files: Iterable<File>): void {
  uploadQueue.add(listedFiles(files))
}
