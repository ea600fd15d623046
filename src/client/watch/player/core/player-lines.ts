/** The styles may not be there yet; these are the player's widest picture and its shape. */
const PLAYER_WIDTH_MAX = 1280
const PLAYER_SHAPE = 9 / 16

/** The short side of a player in device pixels, or what it will be once it is laid out. */
export function playerLinesOf({ clientWidth, clientHeight }: HTMLVideoElement): number {
  const lines =
    Math.min(clientWidth, clientHeight) || Math.min(innerWidth, PLAYER_WIDTH_MAX) * PLAYER_SHAPE
  return lines * devicePixelRatio
}
