export const hasFrame = ({ videoWidth, readyState }: HTMLVideoElement) =>
  videoWidth > 0 && readyState >= HTMLMediaElement.HAVE_CURRENT_DATA

/** @throws if the video has no picture */
export function drawFrame(
  video: HTMLVideoElement,
  width: number = video.videoWidth,
): HTMLCanvasElement {
  if (!hasFrame(video)) throw new Error('The video has no picture.')
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = Math.round((width * video.videoHeight) / video.videoWidth)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas
}
