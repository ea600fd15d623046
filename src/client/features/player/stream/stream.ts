import type { Variant } from '../source/master-playlist.ts'
import type { SourceListener } from '../source/source.ts'
import { chooseRendition } from './choose-rendition.ts'
import { LoadError, type LoadProgress } from './load-bytes.ts'
import { createLoadedBuffer, type LoadedBuffer } from './loaded-buffer.ts'
import { SAME_TIME_SECONDS } from './loaded-pieces.ts'
import { addMediaBuffer, attachMediaSource } from './media-buffer.ts'
import { segmentAt } from './media-playlist.ts'
import { playerLinesOf } from './player-lines.ts'
import { createRenditionFile } from './rendition-file.ts'
import { createSegmentFetch, type FetchedSegment, type SegmentOf } from './segment-fetch.ts'
import { createThroughput } from './throughput.ts'

/** Before the first play only this much is fetched; from then on half a minute ahead. */
const WAITING_BUFFER_SECONDS = 6
const PLAYING_BUFFER_SECONDS = 30
/** Never less, however little room the browser has. */
const SMALLEST_BUFFER_SECONDS = 4
const MEDIA_RECOVERIES = 2
const GAP_CHECK_MS = 500

export type StreamInput = {
  video: HTMLVideoElement
  /** Ascending by bit rate; all of them play in this browser. At least one. */
  renditions: readonly Variant[]
  /** What the element plays from, opened for this stream. */
  source: Promise<MediaSource>
  quality: number | 'auto'
  /** Bits per second, as known from before. */
  bandwidth: number | null
  listener: Pick<SourceListener, 'onPlaying' | 'onTrouble'>
}

/** Plays renditions through MediaSource: loads what will be seen next, of the size that the connection carries. */
export function startStream(input: StreamInput) {
  const { video, renditions, listener } = input
  const over = new AbortController()
  const { signal } = over
  const throughput = createThroughput(input.bandwidth)
  const files = renditions.map(createRenditionFile)
  const loads = createSegmentFetch({
    signal,
    onLoaded: ({ bytes, ms }) => throughput.add(bytes, ms),
    isTooSlow: comesTooLate,
  })
  let quality = input.quality
  let isSwitching = false
  /** What was loaded last, and whose init segment the buffer has. */
  let current: number | undefined
  let initialised: number | undefined
  /** What the browser had no room for. */
  let held: FetchedSegment | undefined
  let limitSeconds = PLAYING_BUFFER_SECONDS
  let hasPlayed = !video.paused || video.autoplay
  let isRunning = false
  let isWoken = false
  let isHalted = false
  let recoveries = 0
  let told: number | undefined
  let gapTimer: ReturnType<typeof setTimeout> | undefined
  let buffer = openBuffer(input.source)

  function openBuffer(source: Promise<MediaSource>): LoadedBuffer {
    const type = mediaType(renditions[choose(0)]?.codecs ?? '')
    return createLoadedBuffer(
      video,
      source.then((opened) => addMediaBuffer(opened, type)),
    )
  }

  function choose(aheadSeconds: number): number {
    return chooseRendition({
      ...{ renditions, quality, current, aheadSeconds },
      bandwidth: throughput.estimate(),
      playerLines: playerLinesOf(video),
    })
  }

  /** Loads one segment. @returns whether there is more to do at once */
  async function step(): Promise<boolean> {
    const target = buffer
    const { until, playableSeconds: aheadSeconds } = target.loadedFromHere()
    const rendition = choose(aheadSeconds)
    if (isSwitching) {
      isSwitching = false
      await target.dropOthers(rendition)
      return true
    }
    const playlist = await fileOf(rendition).playlist(signal)
    // Whoever goes to the very end is behind the last segment before it is there.
    const lastSeconds = playlist.durationSeconds - 1.5 * SAME_TIME_SECONDS
    if (until > lastSeconds && target.isLoaded(lastSeconds)) {
      await target.end()
      return false
    }
    const wantedSeconds = hasPlayed ? limitSeconds : WAITING_BUFFER_SECONDS
    if (aheadSeconds >= wantedSeconds) return false
    const segment = segmentAt(playlist, Math.min(until, lastSeconds) + SAME_TIME_SECONDS)
    const fetched = await fetchSegment({ rendition, segment })
    if (!fetched || target !== buffer) return true
    await target.setDuration(playlist.durationSeconds)
    const outcome = await target.append(fetched)
    if (target !== buffer) return true
    held = outcome === 'full' ? fetched : undefined
    // Its init segment may have found room, or the buffer none of the rest.
    if (outcome !== 'in') initialised = undefined
    if (outcome === 'empty') return true
    if (outcome === 'full') {
      limitSeconds = Math.max(SMALLEST_BUFFER_SECONDS, Math.min(limitSeconds, aheadSeconds) * 0.75)
      return false
    }
    current = rendition
    initialised = rendition
    look()
    return true
  }

  function fileOf(rendition: number) {
    const file = files[rendition]
    if (!file) throw new Error('There is no such rendition.')
    return file
  }

  async function fetchSegment(of: SegmentOf): Promise<FetchedSegment | undefined> {
    const { rendition, segment } = of
    if (held?.rendition === rendition && held.segment === segment) return held
    return loads.fetch(of, { file: fileOf(rendition), withInit: initialised !== rendition })
  }

  /** Whether a smaller rendition would be there before this one, for which playing would have to wait. */
  function comesTooLate({ rendition, segment }: SegmentOf, { bytes, ms }: LoadProgress): boolean {
    if (quality !== 'auto') return false
    const { playableSeconds: aheadSeconds } = buffer.loadedFromHere()
    const restSeconds = ((segment.length - bytes) * ms) / Math.max(bytes, 1) / 1000
    if (restSeconds <= aheadSeconds + 1) return false
    throughput.add(bytes, ms)
    return choose(0) < rendition
  }

  async function run(): Promise<void> {
    isWoken = true
    if (isRunning || isHalted) return
    isRunning = true
    const before = buffer
    try {
      for (let hasMore = true; (hasMore || isWoken) && !isHalted; ) {
        isWoken = false
        hasMore = await step()
      }
    } catch (error) {
      // The trouble of a buffer that was given up already is none.
      if (!signal.aborted && (error instanceof LoadError || before === buffer)) fail(error)
    } finally {
      isRunning = false
    }
    if (before !== buffer && !signal.aborted) void run()
  }

  function fail(error: unknown): void {
    if (error instanceof LoadError) {
      giveUp(error.isLost ? 'lost' : 'broken')
    } else recover()
  }

  function giveUp(trouble: 'lost' | 'broken'): void {
    isHalted = true
    listener.onTrouble(trouble)
  }

  /** Begins anew at the same place after the browser could not go on. */
  function recover(): void {
    recoveries += 1
    if (recoveries > MEDIA_RECOVERIES) {
      giveUp('broken')
      return
    }
    const isPlaying = !video.paused
    initialised = undefined
    held = undefined
    buffer = openBuffer(attachMediaSource(video, video.currentTime))
    if (isPlaying) void video.play().catch(() => undefined)
    void run()
  }

  /** Tells which rendition is seen, and looks soon whether it goes on. */
  function look(): void {
    const playing = buffer.playing()
    if (playing !== undefined && playing !== told) {
      told = playing
      listener.onPlaying(renditions[playing] ?? null)
    }
    clearTimeout(gapTimer)
    gapTimer = setTimeout(() => buffer.skipGap() || giveUp('broken'), GAP_CHECK_MS)
  }

  const on = (types: string, act: () => void) => {
    for (const type of types.split(' ')) video.addEventListener(type, act, { signal })
  }
  on('play', () => {
    hasPlayed = true
  })
  on('seeking', () => {
    const { currentTime: time } = video
    const { startSeconds = 0, endSeconds = 0 } = loads.current()?.segment ?? {}
    const isComing = startSeconds <= time && time < endSeconds
    if (!isComing && !buffer.has(time)) loads.giveUp()
  })
  on('play seeking waiting timeupdate', () => {
    look()
    void run()
  })
  on('error', () => video.error && recover())
  void run()

  return {
    chooseQuality(next: number | 'auto'): void {
      quality = next
      isSwitching = true
      if (loads.current()?.rendition !== choose(0)) loads.giveUp()
      void run()
    },
    /** Loads on where it stopped; what seems dead is asked for again. */
    resume(): void {
      isHalted = false
      loads.giveUpWhenDead()
      void run()
    },
    bandwidth: throughput.measured,
    close(): void {
      clearTimeout(gapTimer)
      over.abort()
    },
  }
}

/** As MediaSource takes it. */
export function mediaType(codecs: string): string {
  return `video/mp4; codecs="${codecs}"`
}
