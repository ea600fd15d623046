import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'

/** Such as `0:42 of 3:10`, or `12%` where the length is unknown. */
export function arrivedText({ arrivedSeconds, durationSeconds, percent, plays }: Arriving): string {
  if (plays !== 'yes' || durationSeconds === null) return `${percent}%`
  const arrived = Math.min(Math.floor(arrivedSeconds), Math.floor(durationSeconds))
  return `${formatDuration(arrived)} of ${formatDuration(Math.floor(durationSeconds))}`
}

export function arrivingText(upload: Arriving): string {
  switch (upload.state) {
    case 'arriving':
      return `Still arriving: ${arrivedText(upload)}`
    case 'paused':
      return `The upload is paused at ${arrivedText(upload)}`
    case 'finishing':
      return 'All of it is here. It is being finished'
    case 'preparing':
      return 'All of it is here. The video is being prepared'
    case 'ready':
      return 'The upload is finished'
    case 'failed':
      return 'This upload could not become a video'
    case 'cancelled':
      return 'This upload was cancelled'
  }
}

/** Explains the state to the viewer. It is empty where the line already does. */
export function arrivingNote({ state, plays, isOwn }: Arriving): string {
  if (state === 'paused') {
    const returns = isOwn ? 'you continue it' : 'its sender is back'
    return `It goes on when ${returns}, and is kept for a day.`
  }
  if (state === 'failed') {
    return isOwn ? 'The list of your uploads says why.' : 'Its file cannot be played.'
  }
  if (state === 'cancelled') return 'Nothing of it was kept.'
  if (plays === 'no') return 'This kind of file can be watched once it is prepared.'
  return 'You watch what has arrived. Comments and likes come when the upload is finished.'
}
