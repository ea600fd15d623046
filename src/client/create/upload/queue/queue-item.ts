import type { FieldConflict } from '#shared/field-conflict.ts'
import { titleRule } from '#shared/field-rules.ts'
import type { RecordingName } from '#shared/recording-name.ts'
import type { VideoFieldValues } from '../form/video-fields.tsx'
import { titleFromFileName } from '../form/video-file.ts'
import type { UploadEngine } from '../transfer/upload-engine.ts'
import type { QueueState } from './queue-state.ts'

export type QueueItem = {
  id: number
  name: string
  size: number
  /** Missing after a reload, and when the browser cannot read it any more. */
  file: File | undefined
  details: VideoFieldValues
  recognised: RecordingName | undefined
  thumbnail: File | undefined
  /** It had one before a reload, of which nothing was sent. */
  isThumbnailLost: boolean
  /** Where the server has the thumbnail of an upload that is not finished. */
  thumbnailUrl: string | null
  state: QueueState
  /** Why it waits, failed or was refused. */
  sentence: string | undefined
  /** The video that the site has of the same bytes. */
  same: { videoId: number; title: string; isOwn: boolean } | undefined
  uploadId: string | undefined
  /** Its file was chosen again: the bytes that the server has are compared before it goes on. */
  isRejoined: boolean
  /** Of 100, what the server has of an unfinished one. */
  percentStored: number
  /** Of 100, how far the video is prepared. */
  percentPrepared: number
  videoId: number | undefined
  /** The video whose recording it is to replace. */
  replaces: number | undefined
  /** Its details or its thumbnail could not be saved just now; it is tried again. */
  isUnsaved: boolean
  /** Why the server does not take its details or its thumbnail. */
  refusal: string | undefined
  /** What is said of it here and was changed elsewhere too, since it is a video. */
  conflicts: FieldConflict[]
  engine: UploadEngine | undefined
}

/** States in which nothing more happens by itself, and nothing is asked of the member. */
const OVER: readonly QueueState[] = ['ready', 'refused', 'gone']
export const isOver = ({ state }: QueueItem) => OVER.includes(state)

/** States that end when the tab is closed. */
const NEEDS_TAB: readonly QueueState[] = ['checking', 'waiting', 'running']
export const needsTab = ({ state }: QueueItem) => NEEDS_TAB.includes(state)

/** Whether the member may still change what is said of it. */
export const isEditable = (item: QueueItem) => item.state !== 'refused' && item.state !== 'gone'

/** Whether it is one of the files that are counted as being uploaded. */
export const isTravelling = ({ state }: QueueItem) =>
  NEEDS_TAB.includes(state) || state === 'paused' || state === 'failed'

/** Whether only this browser knows of it: an upload that was begun is on the server. */
export const isOnlyHere = ({ state, uploadId, engine, replaces }: QueueItem) =>
  uploadId === undefined &&
  // A file that waits again would be a video of its own.
  replaces === undefined &&
  (NEEDS_TAB.includes(state) ||
    state === 'paused' ||
    state === 'same' ||
    state === 'unfinished' ||
    (state === 'failed' && engine !== undefined))

/** A title that the server takes, for a file of whatever name. */
export function titleOfFile(name: string): string {
  const title = titleFromFileName(name)
  return titleRule(title) ? `Video ${title}`.trim() : title
}

export type SendableDetails = Omit<VideoFieldValues, 'participants'> & { participants: number[] }

/** What may be sent of what is typed: a title that is being changed may be too short for a moment. */
export function sendableDetails({ details, name }: QueueItem): SendableDetails {
  const title = titleRule(details.title) ? titleOfFile(name) : details.title
  return { ...details, title, participants: details.participants.map(({ id }) => id) }
}

/** The same file chosen again, as far as the server can tell. */
export const fileKey = ({ name, size }: Pick<QueueItem, 'name' | 'size'>) => `${size}:${name}`
