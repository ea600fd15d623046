import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'
import { recordingReplaced } from '../video/video.events.ts'
import { renewClips } from './clip-files.queries.ts'

/** Raised in the transaction that makes the clip. */
export const clipMade = createEvent<{ db: DatabaseTransaction; clipId: number }>()

export function listenToRecordings(): void {
  recordingReplaced.listen(onRecordingReplaced)
}

const onRecordingReplaced = ({ db, videoId }: Parameters<typeof recordingReplaced.raise>[0]) =>
  renewClips(db, videoId)
