import { parseTimeParameter } from '../player/core/time-address.ts'

/**
 * What the address of an embedded player asks for: `?t=` or `?start=` for the place, `?autoplay=1` to
 * play at once (without sound, or browsers would not allow it), `?muted=1`.
 */
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
