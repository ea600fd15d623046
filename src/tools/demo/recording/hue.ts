/** @param hue degrees; the others 0 to 1 */
export function hex(hue: number, saturation: number, lightness: number): string {
  return `0x${rgb(hue, saturation, lightness)
    .map((channel) => Math.round(channel).toString(16).padStart(2, '0'))
    .join('')}`
}

/** 0 to 255. */
export function rgb(hue: number, saturation: number, lightness: number): [number, number, number] {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (at: number) => {
    const position = (at + (((hue % 360) + 360) % 360) / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}
