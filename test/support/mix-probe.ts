import { PULSE_HERTZ, PULSE_SECONDS } from './clips.ts'

export type HeardPulse = {
  /** In the video. */
  second: number
  /** Difference of each track to the picture in milliseconds, positive where it is late. */
  lateMs: number[]
}

declare global {
  interface Window {
    mixProbe: { pulses: HeardPulse[]; contexts: AudioContext[] }
  }
}

export const PROBE_INPUT = { hertz: PULSE_HERTZ.slice(0, 3), seconds: PULSE_SECONDS }

/**
 * Runs in the page before its scripts. Measures a video with `pulses` while it plays: the pictures as the browser shows them,
 * the sound as it leaves Web Audio.
 */
export function installMixProbe({ hertz, seconds }: typeof PROBE_INPUT): void {
  const probe: Window['mixProbe'] = { pulses: [], contexts: [] }
  window.mixProbe = probe
  const connect = AudioNode.prototype.connect
  const size = 32_768
  const clocks = new Map<AudioContext, number[]>()
  /** The sound goes on this soon after a seek. */
  const STEADY_MS = 600
  let steadyFromMs = 0
  const flashes = new Map<number, number>()

  AudioNode.prototype.connect = function (this: AudioNode, ...input: unknown[]) {
    if (input[0] instanceof AudioDestinationNode) listen(this)
    return connect.apply(this, input as never) as never
  }

  function listen(node: AudioNode): void {
    const context = node.context as AudioContext
    probe.contexts.push(context)
    const analyser = context.createAnalyser()
    analyser.fftSize = size
    connect.call(node, analyser as never)
    const wave = new Float32Array(size)
    const timer = setInterval(() => {
      if (context.state === 'closed') clearInterval(timer)
      if (context.state !== 'running') return
      const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp()
      const offset = performanceTime - contextTime * 1000
      clocks.set(context, [...(clocks.get(context) ?? []).slice(-4), offset])
      const end = context.currentTime
      analyser.getFloatTimeDomainData(wave)
      if (context.currentTime === end) find(wave, end - size / context.sampleRate, context)
    }, 200)
  }

  /** Where the burst of each track begins: the best place of a burst like it. */
  function find(wave: Float32Array, start: number, context: AudioContext): void {
    const rate = context.sampleRate
    const length = Math.round(seconds * rate)
    for (const [track, pitch] of hertz.entries()) {
      const sine = Float32Array.from({ length }, (_, at) =>
        Math.sin((2 * Math.PI * pitch * at) / rate),
      )
      const cosine = Float32Array.from({ length }, (_, at) =>
        Math.cos((2 * Math.PI * pitch * at) / rate),
      )
      const likeness = (from: number) => {
        let [a, b] = [0, 0]
        for (let at = 0; at < length; at += 1) {
          const value = wave[from + at] ?? 0
          a += value * (sine[at] ?? 0)
          b += value * (cosine[at] ?? 0)
        }
        return Math.hypot(a, b) / length
      }
      let best = { from: 0, value: 0 }
      for (let from = 0; from < size - length; from += 48) {
        const value = likeness(from)
        if (value > best.value) best = { from, value }
      }
      for (let from = Math.max(0, best.from - 48); from < best.from + 48; from += 4) {
        const value = likeness(from)
        if (value > best.value) best = { from, value }
      }
      // Whole bursts only: another look finds those at an edge.
      const isWhole = best.from > 96 && best.from < size - length - 96
      if (best.value > 0.05 && isWhole) note(track, start + best.from / rate, context)
    }
  }

  function note(track: number, time: number, context: AudioContext): void {
    const offsets = [...(clocks.get(context) ?? [])].sort((a, b) => a - b)
    const ms = time * 1000 + (offsets[offsets.length >> 1] ?? 0)
    if (ms < steadyFromMs) return
    const flash = [...flashes].find(([, shownMs]) => Math.abs(shownMs - ms) < 400)
    if (!flash) return
    const [shownMs, second] = [flash[1], flash[0]]
    let pulse = probe.pulses.findLast((one) => one.second === second)
    if (!pulse || pulse.lateMs[track] !== undefined) {
      if (pulse && Math.abs((pulse.lateMs[track] ?? 0) - (ms - shownMs)) < 100) return
      pulse = { second, lateMs: [] }
      probe.pulses.push(pulse)
    }
    pulse.lateMs[track] = ms - shownMs
  }

  function watch(video: HTMLVideoElement): void {
    video.addEventListener('seeking', () => {
      flashes.clear()
      steadyFromMs = Number.POSITIVE_INFINITY
    })
    video.addEventListener('seeked', () => {
      steadyFromMs = performance.now() + STEADY_MS
    })
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 4
    const picture = canvas.getContext('2d', { willReadFrequently: true })
    let wasWhite = true
    const look: VideoFrameRequestCallback = (_, { expectedDisplayTime, mediaTime }) => {
      picture?.drawImage(video, 0, 0, 4, 4)
      const isWhite = (picture?.getImageData(1, 1, 1, 1).data[0] ?? 0) > 128
      if (isWhite && !wasWhite && expectedDisplayTime > steadyFromMs) {
        flashes.clear()
        flashes.set(Math.round(mediaTime), expectedDisplayTime)
      }
      wasWhite = isWhite
      video.requestVideoFrameCallback(look)
    }
    video.requestVideoFrameCallback(look)
  }
  const finder = setInterval(() => {
    const video = document.querySelector<HTMLVideoElement>('[role="group"] video')
    if (!video) return
    clearInterval(finder)
    watch(video)
  }, 50)
}
