import type { AppDeps } from '#server/platform/deps.ts'

export type ImportDeps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline' | 'live'> & {
  jobs: Pick<AppDeps['jobs'], 'wake'>
}

type ImportProgress = { done: number; all: number; bytes: number; allBytes: number }

export type ImportListeners = {
  onProgress: (progress: ImportProgress) => void
  onFetched: (bytes: number) => void
  /** Called before the link works, with the only copy of its token. */
  onLink: (link: { title: string; token: string }) => void
}
