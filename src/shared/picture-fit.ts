export type Size = { width: number; height: number }

/** Whole pixels; never enlarges. */
export function fitWithin(picture: Size, box: Size): Size {
  const scale = Math.min(box.width / picture.width, box.height / picture.height, 1)
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  }
}

const UNKNOWN: Size = { width: 1280, height: 720 }

/** 16 : 9 when unknown. */
export function displayedSize(video: { width: number | null; height: number | null }): Size {
  return video.width && video.height ? { width: video.width, height: video.height } : UNKNOWN
}
