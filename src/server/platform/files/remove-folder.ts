import { rm } from 'node:fs/promises'
import { forgetFiles } from './media-answer.ts'

/** Also closes cached handles in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  forgetFiles(folder)
}
