import { chapterAt } from '#shared/chapters.ts'
import { formatDuration } from '#shared/text/format.ts'
import { originOf, placeOf } from './play-range.ts'
import type { PlayerCore, Steering } from './player-core.ts'
import { rememberedPlayer, rememberPlayer } from './player-memory.ts'

export const RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const
const HURRY_RATE = 2
/** Within this time of a chapter's start, going back means the previous chapter. */
const CHAPTER_GRACE_SECONDS = 2

export function playbackCommands(core: PlayerCore) {
  const { store, flash } = core

  /** What the viewer's own element does. */
  const own: Steering = {
    play() {
      // A refusal (a policy, a failing source) leaves the video visibly paused.
      void core.video?.play().catch(() => undefined)
    },

    pause() {
      core.video?.pause()
    },

    seek(seconds) {
      const { video } = core
      if (!video) return
      const { duration } = store.get()
      const time = Math.min(Math.max(0, seconds), duration || seconds)
      video.currentTime = originOf(core) + time
      store.set({ time, hasEnded: false })
    },

    setRate(rate) {
      if (!core.video) return
      core.video.playbackRate = rate
      // A new source starts with it.
      core.video.defaultPlaybackRate = rate
      store.set({ rate })
      rememberPlayer({ rate })
    },
  }
  const steering = () => core.steer ?? own
  const play = () => steering().play()
  const pause = () => steering().pause()
  const seek = (seconds: number) => steering().seek(seconds)
  const setRate = (rate: number) => steering().setRate(rate)

  return {
    play,
    pause,
    seek,
    setRate,

    togglePlay(): void {
      const { video } = core
      if (!video) return
      if (video.paused) play()
      else pause()
      flash(video.paused ? 'pause' : 'play', video.paused ? 'Paused' : 'Playing')
    },

    /** @param shown sum of repeated skips */
    skip(seconds: number, shown = seconds): void {
      seek((core.video ? placeOf(core, core.video) : 0) + seconds)
      const isBack = seconds < 0
      flash(isBack ? 'back' : 'forward', `${isBack ? '−' : '+'}${Math.abs(shown)} s`)
    },

    stepFrame(direction: 1 | -1): void {
      if (!core.video?.paused) return
      seek(placeOf(core, core.video) + direction * core.frameSeconds)
      flash('frame', direction > 0 ? 'Next frame' : 'Previous frame')
    },

    stepRate(direction: 1 | -1): void {
      const { rate } = store.get()
      const faster = RATES.find((each) => each > rate) ?? RATES[RATES.length - 1]
      const slower = RATES.findLast((each) => each < rate) ?? RATES[0]
      const next = (direction > 0 ? faster : slower) ?? 1
      setRate(next)
      flash('speed', `${next}×`)
    },

    stepChapter(direction: 1 | -1): void {
      const { chapters } = core.surroundings
      const { time } = store.get()
      const here = chapterAt(chapters, direction > 0 ? time : time - CHAPTER_GRACE_SECONDS)
      const index = (here ? chapters.indexOf(here) : 0) + (direction > 0 ? 1 : 0)
      const chapter = chapters[index]
      if (!chapter) return
      seek(chapter.start)
      flash(direction > 0 ? 'forward' : 'back', chapter.title)
    },

    stepMoment(direction: 1 | -1): void {
      const { moments } = core.surroundings
      const { time } = store.get()
      const moment =
        direction > 0
          ? moments.find(({ atSeconds }) => atSeconds > time + 0.5)
          : moments.findLast(({ atSeconds }) => atSeconds < time - CHAPTER_GRACE_SECONDS)
      if (!moment) return
      seek(moment.atSeconds)
      flash(
        direction > 0 ? 'forward' : 'back',
        `Moment ${moments.indexOf(moment) + 1} of ${moments.length}`,
      )
    },

    /** Marks the last seconds, if allowed. */
    markMoment(): void {
      const { onMark } = core.surroundings
      if (!onMark) return
      const { time } = store.get()
      onMark(time)
      flash('none', `Marked ${formatDuration(time)}`)
    },

    /** @param tenths 0 to 10 of the video */
    seekToTenth(tenths: number): void {
      const seconds = (store.get().duration * tenths) / 10
      seek(seconds)
      flash('none', formatDuration(seconds))
    },

    startHurrying(): void {
      const { video } = core
      if (!video || store.get().isHurrying || core.steer) return
      store.set({ isHurrying: true })
      video.playbackRate = HURRY_RATE
      if (video.paused) play()
    },

    stopHurrying(): void {
      if (!store.get().isHurrying || !core.video) return
      core.video.playbackRate = store.get().rate
      store.set({ isHurrying: false })
    },

    toggleLoop(): void {
      const { video } = core
      if (!video || core.steer) return
      video.loop = !video.loop
      store.set({ isLooping: video.loop })
      flash('none', video.loop ? 'Loop on' : 'Loop off')
    },

    toggleContinuing(): void {
      const continues = !rememberedPlayer().continues
      rememberPlayer({ continues })
      flash('none', continues ? 'Autoplay on' : 'Autoplay off')
    },

    cancelNext(): void {
      store.set({ isNextCancelled: true })
    },

    playNext(): void {
      core.onNext?.()
    },

    /** Restarts without a previous video. */
    playPrevious(): void {
      if (core.surroundings.previous) core.onPrevious?.()
      else seek(0)
    },
  }
}
