import { Worker } from 'node:worker_threads'

const SCRIPT = new URL('./updating-answer-worker.ts', import.meta.url)

export type Address = { port: number; host: string }

/**
 * Answers 503 from another thread while `work`, such as a migration, blocks this one; then the port
 * is free again. A taken port is reported later.
 */
export async function answerMeanwhile<Result>(
  address: Address,
  work: () => Promise<Result>,
): Promise<Result> {
  // The system chooses the port: no client knows it.
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
