import { createStore } from '#client/platform/store.ts'
import { afterFirstPicture } from '../element/has-picture.ts'
import { mirrorMedia } from '../element/media-mirror.ts'
import { resumeMix } from '../mixer/open-mixer.ts'
import { canChooseSound, choosableQualities } from '../source/choosable.ts'
import { takeEarly } from '../source/early-video.ts'
import { startSources } from '../source/source-switch.ts'
import { noteScrolling } from './may-continue.ts'
import { keepToRange } from './play-range.ts'
import { playbackCommands } from './playback-commands.ts'
import type { PlayerCore } from './player-core.ts'
import { rememberedPlayer } from './player-memory.ts'
import type { Feedback, PlayerOptions, PlayerState, PlayerSurroundings } from './player-state.ts'
import { screenCommands } from './screen-commands.ts'
import { soundCommands } from './sound-commands.ts'
import { sourceCommands } from './source-commands.ts'

export type Player = ReturnType<typeof createPlayer>

/** State and commands, without UI. */
export function createPlayer(
  options: PlayerOptions,
  { qualities }: Pick<PlayerSurroundings, 'qualities'>,
) {
  let lastFeedback = 0
  const core: PlayerCore = {
    store: createStore(initialState(options)),
    options,
    surroundings: {
      chapters: [],
      marks: [],
      heat: [],
      moments: [],
      onMark: null,
      next: null,
      previous: null,
      soundTracks: [],
      soundMix: null,
      captions: [],
      loudnessLufs: null,
      qualities,
    },
    element: takeEarly(options.videoUrl),
    video: undefined,
    frame: undefined,
    source: undefined,
    hasStreamFailed: false,
    openQuality: undefined,
    openSoundTrack: undefined,
    onQualities: undefined,
    frameSeconds: 1 / 30,
    onFailed: undefined,
    onNext: undefined,
    onPrevious: undefined,
    onClip: undefined,
    steer: undefined,
    hasReactions: false,
    renderTakeBack: undefined,
    renderSaveMix: undefined,
    mixer: undefined,
    applyVolume: undefined,
    flash(icon: Feedback['icon'], text: string) {
      lastFeedback += 1
      core.store.set({ feedback: { id: lastFeedback, icon, text } })
    },
  }
  const { store } = core
  const sound = soundCommands(core)
  const sources = sourceCommands(core)
  const player = {
    core,
    options,
    get: store.get,
    surround(surroundings: PlayerSurroundings): void {
      const { loudnessLufs: before, soundTracks, soundMix } = core.surroundings
      core.surroundings = surroundings
      sources.offerCaptions(surroundings.captions)
      if (soundTracks !== surroundings.soundTracks || soundMix !== surroundings.soundMix) {
        core.mixer?.refresh()
        resumeMix(core)
      }
      if (before !== surroundings.loudnessLufs) sound.applyVolume()
      // Only the stream tells its renditions itself.
      const isFile = store.get().source === 'progressive'
      if (isFile) store.set({ qualities: choosableQualities(core) })
      if (surroundings.qualities.length > 0) core.onQualities?.()
    },
    /** Empty for a single track. */
    soundTracks: () => (canChooseSound(core) ? core.surroundings.soundTracks : []),
    subscribe: store.subscribe,
    ...playbackCommands(core),
    ...sound,
    ...screenCommands(core),
    ...sources,
    setOverlay: (overlay: PlayerState['overlay']) => store.set({ overlay }),
    /** At the same time. */
    retry: () => store.set({ hasFailed: false, isWaiting: false, isReconnecting: false }),
    toggleStats: () => store.set({ areStatsShown: !store.get().areStatsShown }),
    /** Puts the `<video>` into the page. @returns removes it */
    attach(place: HTMLElement | null): (() => void) | undefined {
      if (!place) return undefined
      const video = core.element
      place.append(video)
      core.video = video
      dressVideo(video, options)
      video.autoplay = options.autoPlay || !store.get().isPaused
      video.defaultPlaybackRate = rememberedPlayer().rate
      video.playbackRate = rememberedPlayer().rate
      core.applyVolume = sound.applyVolume
      sound.applyVolume()
      resumeMix(core)
      const endings = [
        mirrorMedia(core, video),
        keepToRange(core.options.range, video),
        startSources(core, video),
        ...(options.partQuality === undefined ? [attachExtrasLater(player, core, video)] : []),
        noteScrolling(),
      ]
      return () => {
        for (const end of endings) end()
        core.mixer?.close()
        core.applyVolume = undefined
        core.video = undefined
        video.removeAttribute('src')
        video.load()
        video.remove()
      }
    },
  }
  return player
}

function dressVideo(video: HTMLVideoElement, { title, posterUrl }: PlayerOptions): void {
  video.preload = 'metadata'
  video.playsInline = true
  video.ariaLabel = title
  if (posterUrl && video.getAttribute('poster') !== posterUrl) video.poster = posterUrl
}

function initialState(options: PlayerOptions): PlayerState {
  const { volume, isMuted, rate, quality } = rememberedPlayer()
  return {
    isPaused: true,
    isStarting: options.autoPlay,
    hasStarted: false,
    hasEnded: false,
    isNextCancelled: false,
    isWaiting: false,
    time: options.startSeconds,
    duration: options.durationSeconds,
    buffered: [],
    volume,
    isMuted: isMuted || options.startsMuted === true,
    isSoundHeld: false,
    rate,
    isLooping: false,
    isHurrying: false,
    source: null,
    qualities: [],
    quality: options.partQuality ?? quality,
    playing: null,
    soundTrack: 0,
    captions: [],
    caption: -1,
    isReconnecting: false,
    hasFailed: false,
    isFullScreen: false,
    isPictureInPicture: false,
    feedback: null,
    overlay: null,
    areStatsShown: false,
  }
}

/** After the first picture. @returns a stop function */
function attachExtrasLater(player: Player, core: PlayerCore, video: HTMLVideoElement): () => void {
  let isOver = false
  let end = () => {}
  void afterFirstPicture(video)
    .then(() => import('../element/extras.ts'))
    .then(({ attachExtras }) => {
      if (!isOver) end = attachExtras(player, core, video)
    })
    .catch(() => {})
  return () => {
    isOver = true
    end()
  }
}
