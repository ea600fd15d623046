import { rm } from 'node:fs/promises'
import { forgetFiles } from './media-answer.ts'

/** Deletes a folder with its content, if it exists, and closes cached handles of its files. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  forgetFiles(folder)
}
