import type { ProcessingStatus, WorkStatus } from '#shared/schemas/video.schemas.ts'

const STEPS: Record<string, string> = {
  reading: 'Reading the file',
  encoding: 'Picture and sound',
  storyboard: 'Previews',
  sharing: 'A file to share',
  'no-room': 'It continues automatically once there is room',
  'no-store': 'It continues automatically once the media store answers',
  'no-machine': 'No connected machine can prepare this',
}

/** Reasons for waiting, by step. */
const WAITS: Record<string, string> = {
  'no-room': 'room on the disk',
  'no-store': 'the place where videos are stored',
  'no-machine': 'a machine that prepares it',
}

export function waitText(step: string | null | undefined): string | undefined {
  const place = WAITS[step ?? '']
  return place && `Waiting for ${place}`
}

/** Before the video plays. */
export function stageText(status: ProcessingStatus | undefined): string {
  const wait = waitText(status?.step)
  if (wait) return wait
  if (status?.stage === 'waiting') return `In the queue, place ${status.queuePosition}`
  return 'Preparing your video'
}

/** While the video plays. */
export function ladderText({ state, step, queuePosition, error }: WorkStatus): string {
  if (state === 'failed') {
    return `More qualities could not be prepared. ${error ?? 'The reason is unknown.'}`
  }
  const wait = waitText(step)
  if (wait) return `More qualities: ${wait.toLowerCase()}`
  if (state === 'waiting') return `More qualities: in the queue, place ${queuePosition}`
  return 'Preparing more qualities'
}

/** 'Picture and sound · 1.8× speed · about 2 minutes left', as far as known. */
export function paceText(
  work: Pick<WorkStatus, 'step' | 'speed' | 'secondsLeft'> | undefined,
): string {
  if (!work) return ''
  const { step, speed, secondsLeft } = work
  return [
    step && STEPS[step],
    speed !== null && `${speed >= 10 ? Math.round(speed) : speed.toFixed(1)}× speed`,
    secondsLeft !== null && timeLeft(secondsLeft),
  ]
    .filter(Boolean)
    .join(' · ')
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return 'less than a minute left'
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
  const hours = Math.round(minutes / 60)
  return `about ${hours} ${hours === 1 ? 'hour' : 'hours'} left`
}
