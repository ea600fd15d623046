import type { Database } from '#server/platform/db/database.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Playback } from '#shared/schemas/video.schemas.ts'
import { requireVideo } from '../video/video.service.ts'
import { findHeat } from '../view/heat.service.ts'
import {
  findPlaybackColumns,
  listCaptions,
  listRenditions,
  listSoundTracks,
} from './media-file.queries.ts'

/** @throws AppError `not-found`, also when the video is not visible to `viewer`. */
export async function findPlayback(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Playback> {
  const { videoUrl, hlsUrl, duration: durationSeconds } = await requireVideo(db, input)
  const { mediaKey, shareUrl, loudnessLufs, soundLanguage } = await findPlaybackColumns(
    db,
    input.id,
  )
  const renditions = await listRenditions(db, input.id)
  const soundTracks = await listSoundTracks(db, input.id)
  const captions = await listCaptions(db, input.id)
  return {
    videoUrl,
    hlsUrl,
    shareUrl,
    loudnessLufs,
    soundLanguage,
    heat: await findHeat(db, { videoId: input.id, durationSeconds }),
    renditions: renditions.map((one) => ({ ...one, copied: one.copied === 1 })),
    soundTracks: soundTracks.map(({ number, file, language }) => ({
      number,
      url: mediaUrl(mediaKey, file),
      language,
    })),
    captions: captions.map(({ file, ...track }) => ({ ...track, url: mediaUrl(mediaKey, file) })),
  }
}
