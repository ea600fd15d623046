import { AppError } from '#server/platform/errors.ts'

/** A full queue empties in less. */
const RETRY_AFTER_SECONDS = 5

export function createHashingQueue(options: { parallel: number; waitingMax: number }) {
  const { parallel, waitingMax } = options
  const waiting: (() => void)[] = []
  let underWay = 0
  return {
    /** @throws `too-many` when full */
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
