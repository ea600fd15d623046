/**
 * An element with an error cannot continue, whatever its `readyState`: WebKit keeps it when the
 * connection is cut.
 */
export function isStuck({ error, readyState }: HTMLVideoElement): boolean {
  return error !== null || readyState < HTMLMediaElement.HAVE_FUTURE_DATA
}
