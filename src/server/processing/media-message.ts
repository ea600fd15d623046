import type { MediaResult, MediaTask } from './media-task.ts'
import type { MediaProgress } from './report.ts'

/** What the parent sends to the child, once. */
export type MediaOrder = { task: MediaTask; memoryLimitBytes: number }

/** What the child sends to its parent: any number of progress messages, then one of the others. */
export type MediaMessage =
  | ({ kind: 'progress' } & MediaProgress)
  | { kind: 'done'; result: MediaResult }
  | { kind: 'unplayable'; message: string }
  | { kind: 'no-space' }
  | { kind: 'failed'; diagnostics: string }
