const VIDEO_ID = /^[1-9]\d{0,15}$/

/** The number in a watch page's address; undefined when there can be no such video. */
export function parseVideoId(text: string): number | undefined {
  const id = Number(text)
  return VIDEO_ID.test(text) && Number.isSafeInteger(id) ? id : undefined
}
