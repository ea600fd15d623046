/** An S3 server from npm, which has no types of its own. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: { name: string; configs: string[] }[]
    })
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
    store: Store
  }

  type Put = { size: number; md5: string }
  type Store = {
    getResourcePath(bucket: string, key: string | undefined, name: string): string
    putObject(object: { bucket: string; key: string }): Promise<Put>
    putPart(bucket: string, uploadId: string, partNumber: number, content: unknown): Promise<Put>
  }
}
