/** Phones have no keys. */
export const howToClip = () =>
  matchMedia('(any-hover: hover)').matches ? 'Press C' : 'Press Clip below the player'
