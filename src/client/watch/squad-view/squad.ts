import { createStore } from '#client/platform/store.ts'
import type { SquadView, SquadViewRecording } from '#shared/schemas/squad-view.schemas.ts'
import { SQUAD_VIEW_PICTURES } from '#shared/squad-views.ts'
import { createPlayer, type Player } from '../player/core/player.ts'
import { followMatch, type Picture } from './follow-match.ts'
import type { MatchClock } from './match-clock.ts'

/** A recording that has its place in the match. */
export type Recording = Pick<SquadViewRecording, 'video'> & { offsetSeconds: number }
export type SquadLayout = 'large' | 'grid'

type SquadState = {
  largeId: number
  /** The pictures on the page, in their order. */
  shownIds: readonly number[]
  layout: SquadLayout
}

export type Squad = ReturnType<typeof createSquad>

/** This is the part of a view that all its viewers see. */
export function placedIn({ recordings }: SquadView): Recording[] {
  return recordings.flatMap(({ video, offsetSeconds, state }) => {
    const isPlaced = state === 'in' && offsetSeconds !== null && video.videoUrl !== null
    return isPlaced ? [{ video, offsetSeconds }] : []
  })
}

export const lengthOf = (recordings: readonly Recording[]): number =>
  Math.max(...recordings.map(({ video, offsetSeconds }) => offsetSeconds + video.duration))

/** Controls the pictures of a page: which of them is large, and one set of controls for all. */
export function createSquad(recordings: readonly Recording[], clock: MatchClock) {
  const ids = recordings.map(({ video }) => video.id)
  const store = createStore<SquadState>({
    largeId: ids[0] ?? 0,
    shownIds: ids.slice(0, SQUAD_VIEW_PICTURES),
    layout: 'large',
  })
  const pictures = new Map<number, Picture>()
  const player = createControls(clock, lengthOf(recordings))
  const { core } = player

  /** The controls are those of the large picture, with the times of the match. */
  function connect(): void {
    const large = pictures.get(store.get().largeId)
    if (!large || core.video === large.player.core.element) return
    const { offsetSeconds } = large
    core.video = large.player.core.element
    const range = { start: -offsetSeconds, end: Number.POSITIVE_INFINITY }
    core.options = { ...core.options, range }
    applySound()
  }

  function applySound(): void {
    const { isMuted, volume } = player.get()
    for (const [id, picture] of pictures) {
      const isHeard = id === store.get().largeId
      picture.isHeard = isHeard
      picture.player.core.store.set({ volume, isMuted: isMuted || !isHeard })
      picture.player.applyVolume()
    }
  }

  function mirror(): void {
    const { isPaused, isHeld, rate } = clock.store.get()
    const time = clock.now()
    const { duration } = player.get()
    const hasEnded = isPaused && time >= duration
    core.store.set({ isPaused, rate, time, isWaiting: isHeld, hasEnded, isStarting: false })
    // A browser that forbids sound mutes the picture that it was asked to play.
    const large = pictures.get(store.get().largeId)?.player.get()
    if (large?.isSoundHeld && !player.get().isSoundHeld) {
      core.store.set({ isSoundHeld: true, isMuted: true })
    }
    // A room ends by itself.
    if (clock.lead && !isPaused && time >= duration) clock.pause()
  }

  return {
    clock,
    store,
    player,

    /** @returns removes it */
    add(id: number, picture: Omit<Picture, 'isHeard'>): () => void {
      pictures.set(id, { ...picture, isHeard: false })
      connect()
      applySound()
      return () => {
        if (core.video === picture.player.core.element) core.video = undefined
        pictures.delete(id)
      }
    },

    /** Moves a picture in the match. */
    place(id: number, offsetSeconds: number): void {
      const picture = pictures.get(id)
      if (!picture) return
      picture.offsetSeconds = offsetSeconds
      if (id === store.get().largeId) {
        core.options = {
          ...core.options,
          range: { start: -offsetSeconds, end: Number.POSITIVE_INFINITY },
        }
      }
    },

    setLength: (durationSeconds: number) => core.store.set({ duration: durationSeconds }),

    /** One that is not on the page takes the place of the last. */
    enlarge(id: number): void {
      const { shownIds } = store.get()
      const shown = shownIds.includes(id) ? shownIds : [...shownIds.slice(0, -1), id]
      store.set({ largeId: id, shownIds: shown })
      connect()
      applySound()
    },

    /** @returns a stop function */
    run(): () => void {
      const stop = followMatch(clock, () => [...pictures.values()])
      const timer = setInterval(mirror, 100)
      const unsubscribers = [clock.store.subscribe(mirror), player.subscribe(applySound)]
      mirror()
      return () => {
        stop()
        clearInterval(timer)
        for (const unsubscribe of unsubscribers) unsubscribe()
      }
    },
  }
}

/** A player without a picture of its own, for the controls and keys. */
function createControls(clock: MatchClock, durationSeconds: number): Player {
  const player = createPlayer(
    {
      ...{ videoId: 0, title: 'Squad view', channelName: '', posterUrl: null, videoUrl: '' },
      ...{ hlsUrl: null, lines: null, durationSeconds, startSeconds: 0, autoPlay: false },
      pagePath: null,
    },
    { qualities: [] },
  )
  player.core.steer = {
    play: clock.play,
    pause: clock.pause,
    seek: clock.seek,
    setRate: clock.setRate,
  }
  return {
    ...player,
    togglePlay() {
      if (clock.store.get().isPaused) clock.play()
      else clock.pause()
    },
  }
}
