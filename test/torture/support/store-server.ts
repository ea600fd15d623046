import { setTimeout as pause } from 'node:timers/promises'

const AT_WORK_MS = 3000

/** An S3 server in processes of its own, with a bucket, that may die and come back. */
export type StoreServer = {
  name: string
  endpoint: string
  /** The environment variables of a site whose media lie below a prefix of the bucket. */
  mediaVariables: (prefix: string, through?: string) => Record<string, string>
  /** Starts it again with what it had, on the same ports. */
  start: () => Promise<void>
  /** Ends it with SIGKILL. */
  kill: () => Promise<void>
  /** Ends it for good. */
  stop: () => Promise<void>
}

/** Starts a store again that may still be at what a server had sent when it was killed. */
export async function restartStore(store: StoreServer): Promise<void> {
  await pause(AT_WORK_MS)
  await store.kill()
  await store.start()
}
