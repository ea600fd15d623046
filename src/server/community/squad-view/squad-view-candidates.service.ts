import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireEditable } from '#server/video/video/video.access.ts'
import { listVideosById } from '#server/video/video/video.queries.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { readRecordingName, timeOf } from '#shared/recording-name.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { SQUAD_VIEW_MAX } from '#shared/squad-views.ts'
import {
  type Candidate,
  findCandidateFacts,
  listCandidates,
  listCompany,
} from './squad-view-candidates.queries.ts'

/** Recordings of one match that begin further apart do not overlap for long. */
const SAME_TIME_MS = 10 * 60 * 1000
/** Those who played along may have clocks in other zones, or upload a day later. */
const SAME_SESSION_MS = 36 * 60 * 60 * 1000

/** Likely recordings of the same match that the viewer finds in lists, the likeliest first. */
export async function listLikelyRecordings(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<Video[]> {
  const own = await requireVideoOwner(db, { id, viewer })
  requireEditable(own, viewer)
  const facts = await findCandidateFacts(db, id)
  if (!facts) return []
  const candidates = await listCandidates(db, { own: facts, viewer })
  const company = await listCompany(db, { own: facts, others: candidates })
  const likely = candidates
    .map((candidate) => ({
      id: candidate.id,
      score: rate(candidate, { own: facts, playedAlong: company.has(candidate.id) }),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, SQUAD_VIEW_MAX)
  return listVideosById(db, { ids: likely.map((one) => one.id), viewer })
}

/** 0 for unlikely ones. By recording time, then by who played along, then by when it was published. */
function rate(
  other: Candidate,
  { own, playedAlong }: { own: Candidate; playedAlong: boolean },
): number {
  const apart = Math.abs(Date.parse(own.publishedAt) - Date.parse(other.publishedAt))
  const nearness = 1 / (1 + apart / SAME_SESSION_MS)
  const company = playedAlong ? 2 : 0
  const [ownTime, otherTime] = [recordedAt(own), recordedAt(other)]
  if (ownTime !== undefined && otherTime !== undefined) {
    const reach = SAME_TIME_MS + Math.max(own.duration, other.duration) * 1000
    if (Math.abs(ownTime - otherTime) <= reach) return 4 + company + nearness
  }
  return playedAlong && apart <= SAME_SESSION_MS ? company + nearness : 0
}

/** Returns the time of the recorder's clock if the file name or the title has one. */
function recordedAt({ fileName, title }: Candidate): number | undefined {
  const read = (name: string) => readRecordingName(name)?.recordedAt
  const moment = (fileName && read(fileName)) || read(`${title}.mp4`)
  return moment && timeOf(moment)
}
