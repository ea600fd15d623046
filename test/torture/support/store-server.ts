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
