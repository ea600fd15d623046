import { formatBytes } from '#shared/text/format.ts'
import { formatTimeLeft } from '../../transfer/speed-meter.ts'
import { percentOf, secondsLeftOf, type UploadProgress } from '../../transfer/upload-progress.ts'
import { isTravelling, type QueueItem } from '../queue-item.ts'
import type { QueueSnapshot, QueueTotals } from '../queue-store.ts'
import { sameSentence } from '../same-files.ts'

export function stateText(item: QueueItem, progress: UploadProgress | undefined): string {
  switch (item.state) {
    case 'checking':
      return 'Checking the file'
    case 'same':
      return item.same ? sameSentence(item.same) : ''
    case 'running':
      return progress ? runningText(progress) : ''
    case 'fetching':
      return fetchingText(item)
    case 'paused':
      return progress ? `Paused at ${percentOf(progress)}%` : 'Paused'
    case 'unfinished':
      return item.sentence ?? unfinishedText(item)
    case 'preparing':
      return item.percentPrepared > 0
        ? `Uploaded. Preparing your video, ${Math.round(item.percentPrepared)}%`
        : 'Uploaded. Preparing your video'
    case 'ready':
      return item.sentence ?? 'Ready to watch'
    default:
      return item.sentence ?? 'Waiting'
  }
}

function fetchingText({ sentence, size, percentStored }: QueueItem): string {
  if (sentence) return `${sentence} The site tries again`
  return size > 0 ? `${percentStored}% · The site fetches it` : 'The site fetches it'
}

const unfinishedText = ({ name, uploadId, percentStored }: QueueItem) =>
  uploadId
    ? `${name} is ${percentStored}% uploaded: choose it again`
    : `${name} has not been uploaded yet: choose it again`

function runningText(progress: UploadProgress): string {
  if (progress.interrupted) return `${percentOf(progress)}% · Waiting for the server`
  if (progress.state === 'processing') return 'Uploaded. Checking the video'
  if (progress.state !== 'uploading') return 'Starting'
  const left = secondsLeftOf(progress)
  return [
    `${percentOf(progress)}%`,
    progress.bytesPerSecond ? `${formatBytes(progress.bytesPerSecond)}/s` : '',
    left === undefined ? '' : formatTimeLeft(left),
  ]
    .filter(Boolean)
    .join(' · ')
}

export function headText({ items }: Pick<QueueSnapshot, 'items'>): string {
  const count = (state: QueueItem['state']) => items.filter((item) => item.state === state).length
  const travelling = items.filter(isTravelling).length
  const uploaded = items.filter(({ videoId }) => videoId !== undefined).length
  const isSending = items.some(({ state }) => ['checking', 'waiting', 'running'].includes(state))
  if (isSending) return `Uploading ${uploaded + 1} of ${uploaded + travelling}`
  if (travelling > 0) return `${uploaded} of ${uploaded + travelling} uploaded`
  if (count('fetching') > 0) return `Fetching ${counted(count('fetching'), 'file')}`
  if (count('preparing') > 0) return `Uploaded. Preparing ${videos(count('preparing'))}`
  if (count('unfinished') > 0) return counted(count('unfinished'), 'unfinished upload')
  if (count('ready') > 0) return `${videos(count('ready'))} ready`
  return counted(items.length, 'file')
}

/** '46% · 12 MB/s · about 2 minutes left'. */
export function totalsText({ percent, bytesPerSecond, secondsLeft }: QueueTotals): string {
  return [
    `${percent}%`,
    bytesPerSecond > 0 && `${formatBytes(bytesPerSecond)}/s`,
    secondsLeft !== undefined && formatTimeLeft(secondsLeft),
  ]
    .filter(Boolean)
    .join(' · ')
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const videos = (count: number) => counted(count, 'video')
