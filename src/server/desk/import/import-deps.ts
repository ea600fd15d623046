import type { AppDeps } from '#server/platform/deps.ts'
import { CommandError } from '#server/platform/errors.ts'

export type ImportDeps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline' | 'live'> & {
  jobs: Pick<AppDeps['jobs'], 'wake'>
}

/** A listener throws this to end the import between two pieces. */
export class ImportStoppedError extends CommandError {
  constructor() {
    super('The import was stopped. Run it again to continue it.')
  }
}

export type ImportProgress = { done: number; all: number; bytes: number; allBytes: number }

/** They may throw ImportStoppedError. */
export type ImportListeners = {
  onProgress: (progress: ImportProgress) => void
  onFetched: (bytes: number) => void
  /** Is called before the link works, with the only copy of its token. Without it, no links are made. */
  onLink?: (link: { title: string; token: string }) => void
}
