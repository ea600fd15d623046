type UploadState = 'idle' | 'preparing' | 'uploading' | 'processing' | 'complete' | 'error'

/** Everything the page shows of an upload. */
export type UploadProgress = {
  state: UploadState
  /** What went wrong, or that the upload was cancelled. */
  message: string | undefined
  /** The server refused because too many uploads are open. */
  tooManyOpen: boolean
  chunkCount: number
  /** Chunks the server has, resumed ones included. */
  chunksStored: number
  /** Bytes the server has or is just receiving. */
  bytesSent: number
  totalBytes: number
  bytesPerSecond: number | undefined
  resumed: boolean
  /** This is the link of the future video, which can be opened while it uploads. */
  linkedVideoId: number | undefined
  /** Nothing moves: the connection is lost, or the server does not answer. It continues by itself. */
  interrupted: boolean
  canCancel: boolean
}

export const IDLE_PROGRESS: UploadProgress = {
  state: 'idle',
  message: undefined,
  tooManyOpen: false,
  chunkCount: 0,
  chunksStored: 0,
  bytesSent: 0,
  totalBytes: 0,
  bytesPerSecond: undefined,
  resumed: false,
  linkedVideoId: undefined,
  interrupted: false,
  canCancel: false,
}

export function isUploadRunning({ state }: UploadProgress): boolean {
  return state === 'preparing' || state === 'uploading' || state === 'processing'
}

/** Whole percent of the bytes; 100 only when all of them are there. */
export function percentOf({
  bytesSent,
  totalBytes,
}: Pick<UploadProgress, 'bytesSent' | 'totalBytes'>): number {
  return totalBytes === 0 ? 0 : Math.floor((bytesSent / totalBytes) * 100)
}

/** Seconds until the last byte at the present speed. */
export function secondsLeftOf(progress: UploadProgress): number | undefined {
  const { bytesPerSecond, totalBytes, bytesSent } = progress
  return bytesPerSecond ? (totalBytes - bytesSent) / bytesPerSecond : undefined
}
