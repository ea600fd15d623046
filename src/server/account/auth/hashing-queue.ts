import { AppError } from '#server/platform/errors.ts'

/** How long a full queue takes to empty, with room to spare. */
const RETRY_AFTER_SECONDS = 5

/** Does costly work a few pieces at a time, in the order of the calls, and takes no more than it can do soon. */
export function createHashingQueue(options: { parallel: number; waitingMax: number }) {
  const { parallel, waitingMax } = options
  const waiting: (() => void)[] = []
  let underWay = 0
  return {
    /** @throws AppError `too-many` when as many as may wait do so already */
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (underWay < parallel) underWay++
      else {
        if (waiting.length >= waitingMax) {
          const sentence = 'Too many people are signing in at once. Please try again in a moment.'
          throw new AppError('too-many', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS })
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else underWay--
      }
    },
  }
}
