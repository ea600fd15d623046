import { type Dropped, droppedFiles, listedFiles } from './chosen-files.ts'
import type { Replaced } from './queue-intake.ts'
import { uploadQueue } from './site-queue.ts'

/** Takes what was dropped into the queue. */
export async function takeDropped(dropped: Dropped): Promise<void> {
  uploadQueue.add(await droppedFiles(dropped))
}

/** Takes a file that is to replace a video's recording. */
export function takeRecording(file: File, video: Replaced): void {
  uploadQueue.replaceRecording(file, video)
}

/** Takes what was chosen in a dialog, or pasted, into the queue. */
export function takeFiles(files: Iterable<File>): void {
  uploadQueue.add(listedFiles(files))
}
