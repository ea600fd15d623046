/**
 * Whether something is a Response, as the procedures' adapter makes one. `instanceof` would load Node's
 * HTTP client for the asking.
 */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}
