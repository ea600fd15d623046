import { Worker } from 'node:worker_threads'

const SCRIPT = new URL('./updating-answer-worker.ts', import.meta.url)

export type Address = { port: number; host: string }

/**
 * Answers every request with 503 until `work` is done. That is for work which holds up this thread, as an update
 * of the database does: so a thread of its own answers, and the port is free again when this resolves. Where the
 * port cannot be had the work is done all the same; the server says so when it listens.
 * @throws what `work` throws
 */
export async function answerMeanwhile<Result>(
  address: Address,
  work: () => Promise<Result>,
): Promise<Result> {
  // Nobody knows which port that will be.
  if (address.port === 0) return work()
  const worker = new Worker(SCRIPT, { workerData: address, execArgv: [] })
  await new Promise((resolve) => {
    for (const event of ['message', 'error', 'exit']) worker.once(event, resolve)
  })
  try {
    return await work()
  } finally {
    await worker.terminate()
  }
}
