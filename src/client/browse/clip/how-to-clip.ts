/** What begins a clip on this device: a phone has no keys. */
export const howToClip = () =>
  matchMedia('(any-hover: hover)').matches ? 'Press C' : 'Press Clip below the player'
