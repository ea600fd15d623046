export type Size = { width: number; height: number }

/** The largest size of a picture's shape inside a box, never larger than the picture. Whole pixels. */
export function fitWithin(picture: Size, box: Size): Size {
  const scale = Math.min(box.width / picture.width, box.height / picture.height, 1)
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  }
}

const UNKNOWN: Size = { width: 1280, height: 720 }

/** A video's size as displayed; 16 : 9 where it is not known. */
export function displayedSize(video: { width: number | null; height: number | null }): Size {
  return video.width && video.height ? { width: video.width, height: video.height } : UNKNOWN
}
