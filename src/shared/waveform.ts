export const WAVEFORM_FILE = 'waveform.bin'

/** A byte each: 0 is silence, 255 full scale. */
export const WAVEFORM_RATE = 20

/** 0 to 1. @param peaks missing ones are silent */
export function readWaveform(
  peaks: Uint8Array,
  { fromSeconds, toSeconds, parts }: { fromSeconds: number; toSeconds: number; parts: number },
): number[] {
  const step = ((toSeconds - fromSeconds) * WAVEFORM_RATE) / parts
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor(fromSeconds * WAVEFORM_RATE + part * step)
    const until = Math.max(Math.ceil(fromSeconds * WAVEFORM_RATE + (part + 1) * step), from + 1)
    let most = 0
    for (let at = Math.max(from, 0); at < until; at += 1) most = Math.max(most, peaks[at] ?? 0)
    return most / 255
  })
}
