const tails = new Map<string, Promise<unknown>>()

/** Runs `work` after whatever runs for the same upload: one writer at a time. */
export async function withUploadLock<Result>(
  uploadId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = tails.get(uploadId)
  const result = before ? before.then(work, work) : work()
  const tail = result.catch(() => {})
  tails.set(uploadId, tail)
  try {
    return await result
  } finally {
    if (tails.get(uploadId) === tail) tails.delete(uploadId)
  }
}
