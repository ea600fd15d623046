/** A process of its own, because FFmpeg blocks the thread. Handles one order after the other. */
import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import type { Order, Outcome } from './recorder.ts'
import { drawPicture, writeRecording } from './write-recording.ts'

process.on('disconnect', () => process.exit())
// Ctrl+C reaches this process too; its parent ends it.
process.on('SIGINT', () => {})
process.on('message', async (order: Order) => {
  const outcome: Outcome = await fulfil(order).then(
    () => ({}),
    (error) => ({ failure: String(error) }),
  )
  process.send?.(outcome)
})

async function fulfil({ path, recording, picture, isUrgent }: Order): Promise<void> {
  if (!isUrgent) os.setPriority(os.constants.priority.PRIORITY_LOW)
  if (recording) writeRecording(path, recording)
  if (picture) await writeFile(path, drawPicture(picture))
}
