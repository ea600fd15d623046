import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Playback, SetSoundKind, Video } from '#shared/schemas/video.schemas.ts'
import {
  findPlaybackColumns,
  findWaveform,
  listCaptions,
  listRenditions,
  listSoundNames,
  listSoundTracks,
  upsertSoundKind,
} from '../media/media-file.queries.ts'
import { findMoments, withoutTitles } from '../moment/moment.service.ts'
import { findSoundMixes } from '../sound-mix/sound-mix.queries.ts'
import { requireEditable } from '../video/video.access.ts'
import { requireVideo, requireVideoOwner } from '../video/video.service.ts'

export async function findPlayback(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Playback> {
  return readPlayback(db, await requireVideo(db, input))
}

/** The caller checks access. */
export async function readPlayback(
  db: Database,
  video: Pick<Video, 'id' | 'videoUrl' | 'hlsUrl' | 'duration'>,
): Promise<Playback> {
  const { id, videoUrl, hlsUrl, duration: durationSeconds } = video
  const { addressKey, shareUrl, loudnessLufs, soundLanguage } = await findPlaybackColumns(db, id)
  const renditions = await listRenditions(db, id)
  const soundTracks = await listSoundTracks(db, id)
  const captions = await listCaptions(db, id)
  const waveform = await findWaveform(db, id)
  const { moments, curve } = await findMoments(db, { videoId: id, durationSeconds })
  return {
    videoUrl,
    hlsUrl,
    shareUrl,
    loudnessLufs,
    soundLanguage,
    waveformUrl: waveform === undefined ? null : mediaUrl(addressKey, waveform),
    heat: curve,
    moments: withoutTitles(moments),
    renditions: renditions.map((one) => ({ ...one, copied: one.copied === 1 })),
    soundTracks: soundTracks.map(({ number, file, language }) => ({
      number,
      url: mediaUrl(addressKey, file),
      language,
    })),
    soundNames: soundTracks.length > 0 ? await listSoundNames(db, id) : [],
    soundMix: soundTracks.length > 0 ? (await findSoundMixes(db, id)).made : null,
    captions: captions.map(({ file, ...track }) => ({ ...track, url: mediaUrl(addressKey, file) })),
  }
}

/**
 * Null restores the recorded one.
 * @throws `not-found`, also without several tracks; `conflict` after a concurrent change
 */
export async function setSoundKind(
  db: Database,
  input: SetSoundKind & { viewer: Viewer },
): Promise<void> {
  const { id, number, kind, was } = input
  requireEditable(await requireVideoOwner(db, input), input.viewer)
  const others = await listSoundTracks(db, id)
  if (others.length === 0 || number > Math.max(...others.map((one) => one.number))) {
    throw new AppError('not-found', 'There is no such sound track.')
  }
  await inTransaction(db, async (transaction) => {
    const names = await listSoundNames(transaction, id)
    const stored = names.find((track) => track.number === number)?.kind ?? null
    requireUnchanged({
      now: { kind: stored },
      wish: { kind },
      was: was === undefined ? undefined : { kind: was },
    })
    await upsertSoundKind(transaction, { videoId: id, number, kind })
  })
}
