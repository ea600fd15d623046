import { useEffect, useState, useSyncExternalStore } from 'react'
import { trpcClient } from '#client/trpc.ts'
import { createHttpTransport } from './http-transport.ts'
import { createUploadEngine } from './upload-engine.ts'
import { createUploadMemory } from './upload-memory.ts'

export const uploadMemory = createUploadMemory(findStorage())

/** The upload of this page; leaving the page stops it, to be resumed later. */
export function useUpload() {
  const [engine] = useState(() =>
    createUploadEngine({ transport: createHttpTransport(trpcClient), memory: uploadMemory }),
  )
  useEffect(() => () => engine.leave(), [engine])
  const progress = useSyncExternalStore(engine.subscribe, engine.progress)
  return { engine, progress }
}

/** A browser that keeps nothing for this site throws on the mere look at its storage. */
function findStorage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}
