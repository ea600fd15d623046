import { tryLongRecordings } from '../media/long-recordings.ts'
import type { TorturePart } from '../part.ts'

export const part: TorturePart = {
  name: 'long-recordings',
  description: 'recordings of three hours, copied and encoded, and the memory that they take',
  deadlineMinutes: 600,
  run: tryLongRecordings,
}
