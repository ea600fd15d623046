import { MediaFailedError } from './media-errors.ts'
import type {
  MediaProgress,
  MediaResult,
  MediaTask,
  PrepareResult,
  PrepareTask,
  ThumbnailResult,
  ThumbnailTask,
  TranscodeResult,
  TranscodeTask,
} from './media-task.ts'

export type RunOptions = {
  timeoutMs: number
  signal?: AbortSignal
  onProgress?: (progress: MediaProgress) => void
}

export function runMediaTask(task: PrepareTask, options: RunOptions): Promise<PrepareResult>
export function runMediaTask(task: TranscodeTask, options: RunOptions): Promise<TranscodeResult>
export function runMediaTask(task: ThumbnailTask, options: RunOptions): Promise<ThumbnailResult>
export async function runMediaTask(_task: MediaTask, _options: RunOptions): Promise<MediaResult> {
  throw new MediaFailedError('Not built yet.')
}
