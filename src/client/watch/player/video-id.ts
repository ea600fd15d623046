const VIDEO_ID = /^[1-9]\d{0,15}$/

/** Undefined for an impossible id. */
export function parseVideoId(text: string): number | undefined {
  const id = Number(text)
  return VIDEO_ID.test(text) && Number.isSafeInteger(id) ? id : undefined
}
