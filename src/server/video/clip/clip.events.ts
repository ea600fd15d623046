import { recordingReplaced } from '../video/video.events.ts'
import { renewClips } from './clip-files.queries.ts'

export function listenToRecordings(): void {
  recordingReplaced.listen(onRecordingReplaced)
}

const onRecordingReplaced = ({ db, videoId }: Parameters<typeof recordingReplaced.raise>[0]) =>
  renewClips(db, videoId)
