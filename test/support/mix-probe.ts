import { PULSE_HERTZ, PULSE_SECONDS } from './clips.ts'

export type HeardPulse = {
  /** Of the video. */
  second: number
  /** How much later each track is heard than the picture is shown, in milliseconds. */
  lateMs: number[]
}

declare global {
  interface Window {
    mixProbe: { pulses: HeardPulse[]; wrongPictures: number }
  }
}

export const PROBE_INPUT = { hertz: PULSE_HERTZ.slice(0, 3), seconds: PULSE_SECONDS }

/**
 * Runs in the page before its scripts, for a video with `pulses`. Finds the bursts of each track in what leaves Web Audio, and
 * compares when they are heard with when the pictures of that second are shown: their median, because a busy machine shows single
 * ones late. The white of the pictures proves that they are those of their times.
 */
export function installMixProbe({ hertz, seconds }: typeof PROBE_INPUT): void {
  const probe: Window['mixProbe'] = { pulses: [], wrongPictures: 0 }
  window.mixProbe = probe
  const connect = AudioNode.prototype.connect
  const size = 32_768
  const steadyMs = 500
  let steadyFromMs = 0
  /** When each shown picture would have been at 0, and when it was shown. */
  let pictures: { zeroMs: number; shownMs: number }[] = []
  let offsets: number[] = []

  const median = (values: number[]) =>
    values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN

  AudioNode.prototype.connect = function (this: AudioNode, ...input: unknown[]) {
    if (input[0] instanceof AudioDestinationNode) listen(this)
    return connect.apply(this, input as never) as never
  }

  function listen(node: AudioNode): void {
    const context = node.context as AudioContext
    const analyser = context.createAnalyser()
    analyser.fftSize = size
    connect.call(node, analyser as never)
    const wave = new Float32Array(size)
    const timer = setInterval(() => {
      if (context.state === 'closed') clearInterval(timer)
      if (context.state !== 'running') return
      const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp()
      offsets = [...offsets.slice(-4), performanceTime - contextTime * 1000]
      const end = context.currentTime
      analyser.getFloatTimeDomainData(wave)
      if (context.currentTime !== end) return
      const start = (end - size / context.sampleRate) * 1000 + median(offsets)
      for (const [track, pitch] of hertz.entries()) {
        const found = findBurst(wave, pitch, context.sampleRate)
        if (found !== undefined) note(track, start + (found / context.sampleRate) * 1000)
      }
    }, 250)
  }

  /** @returns the sample at which the loudest whole burst begins */
  function findBurst(wave: Float32Array, pitch: number, rate: number): number | undefined {
    const length = Math.round(seconds * rate)
    const angle = (2 * Math.PI * pitch) / rate
    const likeness = (from: number, step: number) => {
      let [sine, cosine] = [0, 0]
      for (let at = 0; at < length; at += step) {
        const value = wave[from + at] ?? 0
        sine += value * Math.sin(angle * at)
        cosine += value * Math.cos(angle * at)
      }
      return (Math.hypot(sine, cosine) * step) / length
    }
    const search = (range: { from: number; until: number }, by: number, step: number) => {
      let best = { from: 0, value: 0 }
      for (let from = range.from; from < range.until; from += by) {
        const value = likeness(from, step)
        if (value > best.value) best = { from, value }
      }
      return best
    }
    const rough = search({ from: 0, until: size - length }, length >> 3, 3)
    const around = { from: Math.max(0, rough.from - length / 4), until: rough.from + length / 4 }
    const fine = search(around, 8, 1)
    const isWhole = fine.from > length / 4 && fine.from < size - length * 1.25
    return fine.value > 0.02 && isWhole ? fine.from : undefined
  }

  function note(track: number, heardMs: number): void {
    const near = pictures.filter(({ shownMs }) => Math.abs(shownMs - heardMs) < 500)
    if (heardMs < steadyFromMs || near.length < 8) return
    const sincePicture = heardMs - median(near.map(({ zeroMs }) => zeroMs))
    const second = Math.round(sincePicture / 1000)
    const last = probe.pulses.at(-1)
    const isNew = last?.second !== second
    if (!isNew && last?.lateMs[track] !== undefined) return
    const pulse = isNew ? { second, lateMs: [] as number[] } : last
    if (isNew) probe.pulses.push(pulse)
    pulse.lateMs[track] = sincePicture - second * 1000
  }

  function watch(video: HTMLVideoElement): void {
    video.addEventListener('seeking', () => {
      pictures = []
      steadyFromMs = Number.POSITIVE_INFINITY
    })
    video.addEventListener('seeked', () => {
      steadyFromMs = performance.now() + steadyMs
    })
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 4
    const picture = canvas.getContext('2d', { willReadFrequently: true })
    const look: VideoFrameRequestCallback = (_, { expectedDisplayTime: shownMs, mediaTime }) => {
      video.requestVideoFrameCallback(look)
      if (shownMs < steadyFromMs) return
      pictures = [...pictures.slice(-60), { zeroMs: shownMs - mediaTime * 1000, shownMs }]
      picture?.drawImage(video, 0, 0, 4, 4)
      const isWhite = (picture?.getImageData(1, 1, 1, 1).data[0] ?? 0) > 128
      const part = (mediaTime + 0.001) % 1
      const isEdge = Math.abs(part - 0.1) < 0.04 || part < 0.04 || part > 0.96
      if (!isEdge && isWhite !== part < 0.1) probe.wrongPictures += 1
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
