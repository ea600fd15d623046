/** What a piece of work is busy with, for people who wait. */
export type MediaStage = 'reading' | 'encoding' | 'storyboard' | 'sharing'

/** How far a piece of work has come. */
export type MediaProgress = {
  /** 0 to 100, never falling within a task. */
  percent: number
  stage: MediaStage
  /** Seconds of the video that are done. */
  doneSeconds: number
}

/** Tells how far the work is; only what rises is passed on. */
export type Report = (percent: number, details?: Partial<Omit<MediaProgress, 'percent'>>) => void
