import type { InitializeUpload, OpenUpload } from '#shared/schemas/upload.schemas.ts'

type ChunkToSend = {
  uploadId: string
  chunkIndex: number
  totalChunks: number
  chunk: Blob
}

/** The calls an upload makes; each rejects with an `UploadCallError`. */
export type UploadTransport = {
  initialize: (input: InitializeUpload) => Promise<OpenUpload>
  /** @param options.onProgress bytes of this chunk handed to the network so far */
  sendChunk: (
    chunk: ChunkToSend,
    options: { signal: AbortSignal; onProgress: (bytes: number) => void },
  ) => Promise<void>
  sendThumbnail: (
    input: { uploadId: string; thumbnail: Blob },
    options: { signal: AbortSignal },
  ) => Promise<{ thumbnailUrl: string }>
  complete: (input: {
    uploadId: string
    thumbnailUrl: string | null
  }) => Promise<{ videoId: number }>
  cancel: (input: { uploadId: string }) => Promise<void>
  /** The id of the video to be. Left out where uploads have no link before they end. */
  openLink?: (input: { uploadId: string }) => Promise<{ videoId: number }>
}

/** The thumbnail is sent apart from the file. */
export type EngineTransport = Omit<UploadTransport, 'sendThumbnail'>

/** A call that failed, in a sentence for people. */
export class UploadCallError extends Error {
  /** The HTTP status; undefined when no answer came. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  /** Only what the server said, without the status that the documented messages carry. */
  readonly sentence: string

  constructor(
    message: string,
    options: { status?: number; retryAfterSeconds?: number; sentence?: string } = {},
  ) {
    super(message)
    this.sentence = options.sentence ?? message
    this.name = 'UploadCallError'
    this.status = options.status
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
