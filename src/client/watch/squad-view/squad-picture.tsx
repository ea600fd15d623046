import { IconVolume } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import { formatDuration } from '#shared/text/format.ts'
import { createPlayer } from '../player/core/player.ts'
import { linesOf } from '../player/source/qualities.ts'
import { useOffers } from '../player/use-offers.ts'
import { nameOf } from './names.ts'
import type { Recording } from './squad.ts'
import { useSquad, useSquadState } from './squad-context.ts'
import classes from './squad-stage.module.css'

/** Four of them play on two cores. */
const SMALL_LINES = 480
const NONE: never[] = []

type SquadPictureProps = { recording: Recording; number: number }

/** A small picture is a button that makes it large. */
export function SquadPicture({ recording, number }: SquadPictureProps) {
  const { video, offsetSeconds } = recording
  const squad = useSquad()
  const isLarge = useSquadState(({ largeId }) => largeId === video.id)
  const [moment, setMoment] = useState<'before' | 'on' | 'after'>('on')
  const player = usePicturePlayer(recording, setMoment)
  const hasFailed = useSyncExternalStore(player.subscribe, () => player.get().hasFailed)
  const isWaiting = useSyncExternalStore(player.subscribe, () => player.get().isWaiting)
  const name = nameOf(recording)
  return (
    <div
      className={classes.picture}
      data-large={isLarge || undefined}
      data-off={moment !== 'on' || undefined}
    >
      <div ref={player.attach} className={classes.video} />
      {moment !== 'on' && !hasFailed && (
        <p className={`${look('coverAnchor', 'centred', 'centredText')} ${classes.off}`}>
          {moment === 'before'
            ? `${name} records from ${formatDuration(Math.round(offsetSeconds))}`
            : `${name} has stopped recording`}
        </p>
      )}
      {hasFailed && (
        <p
          className={`${look('coverAnchor', 'centred', 'centredText')} ${classes.off}`}
          role="alert"
        >
          The recording of {name} could not be loaded.
        </p>
      )}
      {isWaiting && !hasFailed && (
        <span
          className={classes.waiting}
          role="status"
          aria-label={`Loading the recording of ${name}`}
        />
      )}
      <button
        type="button"
        className={`${look('coverAnchor')} ${classes.press}`}
        aria-label={isLarge ? `${name}, large. Play or pause` : `Make ${name} large`}
        aria-pressed={isLarge}
        onClick={() => (isLarge ? squad.player.togglePlay() : squad.enlarge(video.id))}
      />
      <span className={classes.name} aria-hidden="true">
        {isLarge && <IconVolume size={14} stroke={2} />}
        <span className={look('oneLine')}>{name}</span>
        <span className={classes.key}>{number}</span>
      </span>
    </div>
  )
}

function usePicturePlayer(
  { video, offsetSeconds }: Recording,
  onRecording: (is: 'before' | 'on' | 'after') => void,
) {
  const squad = useSquad()
  const isLarge = useSquadState(({ largeId }) => largeId === video.id)
  const { data: playback } = trpc.video.playback.useQuery({ id: video.id })
  const { captions: _, ...offers } = useOffers(playback)
  const [player] = useState(() =>
    createPlayer(
      {
        ...{ videoId: video.id, title: video.title, channelName: '', pagePath: null },
        ...{ videoUrl: video.videoUrl ?? '', hlsUrl: video.hlsUrl, lines: linesOf(video) },
        posterUrl: posterOf(video).src,
        durationSeconds: video.duration,
        startSeconds: Math.min(Math.max(0, squad.clock.now() - offsetSeconds), video.duration),
        ...{ autoPlay: false, startsMuted: true, isEmbedded: true },
        partQuality: isLarge ? 'auto' : SMALL_LINES,
      },
      offers,
    ),
  )
  const { qualities, loudnessLufs } = offers
  useEffect(() => {
    const silent = { chapters: NONE, marks: NONE, heat: NONE, moments: NONE, captions: NONE }
    const alone = { onMark: null, next: null, previous: null, soundTracks: NONE, soundMix: null }
    player.surround({ ...silent, ...alone, qualities, loudnessLufs })
  }, [player, qualities, loudnessLufs])
  useEffect(() => {
    const quality = isLarge ? 'auto' : SMALL_LINES
    if (player.get().quality === quality) return
    player.core.store.set({ quality })
    player.core.openQuality?.(quality)
  }, [player, isLarge])
  useEffect(() => {
    const { duration: durationSeconds } = video
    return squad.add(video.id, { player, offsetSeconds: 0, durationSeconds, onRecording })
  }, [squad, player, video, onRecording])
  useEffect(() => squad.place(video.id, offsetSeconds), [squad, video, offsetSeconds])
  return player
}
