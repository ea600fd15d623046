import { requireRoom } from '#server/account/room/room.service.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { SetSoundMix } from '#shared/schemas/sound-mix.schemas.ts'
import { isSameMix, MIX_TRACKS_MAX, plainMix, type SoundMix } from '#shared/sound-mix.ts'
import { requeueJob } from '../job/job.queries.ts'
import { listFilesByName } from '../media/media-file.queries.ts'
import { isBeingCut, isBeingReplaced } from '../replacement/replacement.queries.ts'
import { fileIn } from '../video/media-address.ts'
import { requireEditable } from '../video/video.access.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { findMixedVideo, listStreamedTracks, upsertSoundMixes } from './sound-mix.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'jobs'>

/**
 * Makes the sound that everybody hears first, in the background.
 * @throws `not-found`, also without several tracks; `invalid` for other tracks than the recorded ones, or none heard;
 * `conflict` while the recording is prepared, cut or replaced; `too-large`, `no-space`
 */
export async function setSoundMix(
  deps: Deps,
  input: SetSoundMix & { viewer: Viewer },
): Promise<void> {
  const { config, db, disk, jobs } = deps
  const { id: videoId, viewer } = input
  const owned = await requireVideoOwner(db, input)
  requireEditable(owned, viewer)
  const video = await requireMixable(db, videoId)
  const numbers = [...(await listStreamedTracks(db, videoId)).keys()].sort((a, b) => a - b)
  if (numbers.length < 2) throw new AppError('not-found', 'This video has one sound track only.')
  if (input.mix) requireTracks(input.mix, numbers)
  const mix = input.mix && isPlain(input.mix) ? null : input.mix
  const freeBytes = await disk.freeBytes()
  const names = [fileIn(video.videoUrl)].filter((name) => name !== null)
  const [file] = await listFilesByName(db, { videoId, names })
  await inTransaction(db, async (transaction) => {
    const room = { config, userId: video.userId, freeBytes, bytes: file?.bytes ?? 0 }
    await requireRoom(transaction, room)
    await upsertSoundMixes(transaction, { videoId, wanted: mix })
    await requeueJob(transaction, { kind: 'mix', videoId })
  })
  jobs.wake(videoId)
}

async function requireMixable(db: Database, videoId: number) {
  const video = await findMixedVideo(db, videoId)
  if (!video) {
    throw new AppError('conflict', 'This video is still being prepared. Mix its sound afterwards.')
  }
  if ((await isBeingCut(db, videoId)) || (await isBeingReplaced(db, videoId))) {
    const sentence =
      'The recording of this video is being cut or replaced. Mix its sound afterwards.'
    throw new AppError('conflict', sentence)
  }
  return video
}

function requireTracks({ tracks }: SoundMix, numbers: readonly number[]): void {
  const expected = numbers.slice(0, MIX_TRACKS_MAX)
  const isComplete =
    tracks.length === expected.length &&
    tracks.every(({ number }, index) => number === expected[index])
  if (!isComplete) {
    throw new AppError('invalid', 'The mix names other tracks than the video has. Reload the page.')
  }
  if (tracks.every(({ isMuted }) => isMuted)) {
    throw new AppError('invalid', 'At least one track of the mix has to be heard.')
  }
}

function isPlain(mix: SoundMix): boolean {
  const voices = new Set(mix.tracks.filter((one) => one.isVoice).map(({ number }) => number))
  const numbers = mix.tracks.map(({ number }) => number)
  return isSameMix(mix, plainMix(numbers, voices))
}
