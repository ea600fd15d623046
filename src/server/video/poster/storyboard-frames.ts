type StoryboardFrame = {
  atSeconds: number
  file: string
  x: number
  y: number
  width: number
  height: number
}

const CUE = /^(\d+):(\d\d):(\d\d\.\d{3}) --> .*\n([\w.-]+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm

/** Written by `processing/picture/storyboard.ts`. */
export function parseStoryboard(text: string): StoryboardFrame[] {
  return [...text.matchAll(CUE)].map(([, hours, minutes, seconds, file = '', ...rectangle]) => {
    const [x = 0, y = 0, width = 0, height = 0] = rectangle.map(Number)
    const atSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    return { atSeconds, file, x, y, width, height }
  })
}
