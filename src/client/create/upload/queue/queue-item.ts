import type { FieldConflict } from '#shared/field-conflict.ts'
import { titleRule } from '#shared/field-rules.ts'
import { titleOfFile } from '#shared/file-title.ts'
import type { RecordingName } from '#shared/recording-name.ts'
import type { VideoFieldValues } from '../form/video-fields.tsx'
import type { UploadEngine } from '../transfer/upload-engine.ts'
import type { QueueState } from './queue-state.ts'

export type QueueItem = {
  id: number
  userId: number
  name: string
  size: number
  /** Undefined after a reload or when unreadable. */
  file: File | undefined
  details: VideoFieldValues
  recognised: RecordingName | undefined
  thumbnail: File | undefined
  /** Not sent before a reload. */
  isThumbnailLost: boolean
  /** Stored thumbnail of an unfinished upload. */
  thumbnailUrl: string | null
  state: QueueState
  /** Reason of the state. */
  sentence: string | undefined
  /** Duplicate on the site. */
  same: { videoId: number; title: string; isOwn: boolean } | undefined
  uploadId: string | undefined
  /** Compares stored bytes before continuing. */
  isRejoined: boolean
  /** Share of an unfinished upload that the server has. */
  percentStored: number
  /** Progress of the video's processing. */
  percentPrepared: number
  videoId: number | undefined
  /** This is set for a file that the site fetches from an address. */
  fetchId: number | undefined
  /** Video whose recording it replaces. */
  replaces: number | undefined
  /** Saving is retried. */
  isUnsaved: boolean
  /** The server refused the details or thumbnail. */
  refusal: string | undefined
  /** Fields also changed elsewhere. */
  conflicts: FieldConflict[]
  engine: UploadEngine | undefined
}

/** Final states. */
const OVER: readonly QueueState[] = ['ready', 'refused', 'gone']
export const isOver = ({ state }: QueueItem) => OVER.includes(state)

/** Lost when the tab is closed. */
const NEEDS_TAB: readonly QueueState[] = ['checking', 'waiting', 'running']
export const needsTab = ({ state }: QueueItem) => NEEDS_TAB.includes(state)

/** The site still has to fetch this file and has its details. */
export const isFetched = ({ fetchId, videoId }: QueueItem) =>
  fetchId !== undefined && videoId === undefined

export const isEditable = (item: QueueItem) =>
  item.state !== 'refused' && item.state !== 'gone' && !isFetched(item)

/** Counts as uploading. */
export const isTravelling = ({ state }: QueueItem) =>
  NEEDS_TAB.includes(state) || state === 'paused' || state === 'failed'

/** Unknown to the server. */
export const isOnlyHere = ({ state, uploadId, engine, replaces, fetchId }: QueueItem) =>
  uploadId === undefined &&
  fetchId === undefined &&
  // A waiting replacement would become a separate video.
  replaces === undefined &&
  (NEEDS_TAB.includes(state) ||
    state === 'paused' ||
    state === 'same' ||
    state === 'unfinished' ||
    (state === 'failed' && engine !== undefined))

export type SendableDetails = Omit<VideoFieldValues, 'participants'> & { participants: number[] }

/** An incomplete title falls back to the file's. */
export function sendableDetails({ details, name }: QueueItem): SendableDetails {
  const title = titleRule(details.title) ? titleOfFile(name) : details.title
  return { ...details, title, participants: details.participants.map(({ id }) => id) }
}

/** Identity of a file as far as the server can tell. */
export const fileKey = ({ name, size }: Pick<QueueItem, 'name' | 'size'>) => `${size}:${name}`
