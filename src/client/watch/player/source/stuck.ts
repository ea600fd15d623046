/**
 * Whether a video cannot go on now. An element with an error will not by itself, whatever it has: WebKit keeps its
 * `readyState` when the connection is cut.
 */
export function isStuck({ error, readyState }: HTMLVideoElement): boolean {
  return error !== null || readyState < HTMLMediaElement.HAVE_FUTURE_DATA
}
