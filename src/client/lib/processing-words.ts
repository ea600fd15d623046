import type { ProcessingStatus } from '#shared/video.schemas.ts'

const STEPS: Record<string, string> = {
  reading: 'Reading the file',
  encoding: 'Picture and sound',
  storyboard: 'Previews',
  sharing: 'A file to share',
}

/** What goes on with a video that does not play yet. */
export function stageText(status: ProcessingStatus | undefined): string {
  if (status?.stage === 'waiting') return `Waiting in line, place ${status.queuePosition}`
  return 'Preparing your video'
}

/** 'Picture and sound · 1.8× speed · about 2 minutes left', as far as it is known. */
export function paceText(status: ProcessingStatus | undefined): string {
  if (status?.stage !== 'preparing') return ''
  const { step, speed, secondsLeft } = status
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
