import { useState, useSyncExternalStore } from 'react'
import { trpcClient } from '#client/trpc.ts'
import { createHttpTransport } from './http-transport.ts'
import { createUploadEngine } from './upload-engine.ts'
import { createUploadMemory } from './upload-memory.ts'

export const uploadMemory = createUploadMemory(findStorage())

/** The upload of this page; what runs when it is left goes on in the queue. */
export function useUpload() {
  const [engine] = useState(() =>
    createUploadEngine({ transport: createHttpTransport(trpcClient), memory: uploadMemory }),
  )
  const progress = useSyncExternalStore(engine.subscribe, engine.progress)
  return { engine, progress }
}

/** A browser that keeps nothing for this site throws on the mere look at its storage. */
export function findStorage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}
