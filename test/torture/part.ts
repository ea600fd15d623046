/** What a part of `npm run torture` is given. */
export type TortureInput = {
  /** All chance comes from it: the same seed does the same. */
  seed: number
  /** How often each check is done; the part's own number when it is undefined. */
  rounds: number | undefined
  /** Limits a part to the cases whose names contain it. */
  only?: string | undefined
  /** Empty, on the disk of the temporary folder; removed afterwards. */
  folder: string
  log: (line: string) => void
}

/** One line of the table: what was counted or measured, and what it may be at most or at least. */
export type Figure = { what: string; value: number | string; limit?: string }

export type TortureResult = {
  figures: Figure[]
  /** A sentence each; the run fails when there is any. */
  failures: string[]
  /** Why the part could not be tried here. */
  skipped?: string
}

/**
 * One way of trying to break the site. Every file directly in `parts/` exports one as `part`. It is
 * bounded: `run-part.ts` sees to it that it ends, whatever happens.
 */
export type TorturePart = {
  /** For `--only`. */
  name: string
  /** One line, for the list that `--help` prints. */
  description: string
  /** After so many it has failed and is ended, with all that it started; 180 when it does not say. */
  deadlineMinutes?: number
  run: (input: TortureInput) => Promise<TortureResult>
}

export type PartReport = TortureResult & { name: string; seconds: number }
