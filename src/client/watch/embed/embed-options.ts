import { parseTimeParameter } from '../player/core/time-address.ts'

/** `?t=` or `?start=` for the time, `?autoplay=1` (muted, as browsers require), `?muted=1`. */
export function readEmbedOptions(search: string, durationSeconds: number) {
  const query = new URLSearchParams(search)
  const seconds = parseTimeParameter(query.get('t') ?? query.get('start')) ?? 0
  const autoPlay = isOn(query.get('autoplay'))
  return {
    startSeconds: seconds < durationSeconds ? seconds : 0,
    autoPlay,
    startsMuted: autoPlay || isOn(query.get('muted')),
  }
}

function isOn(value: string | null): boolean {
  return value !== null && value !== '0' && value !== 'false'
}
