import { useEffect, useState } from 'react'
import { trpcClient } from '#client/trpc.ts'
import type { QueueItem } from '../queue/queue-item.ts'
import { findSameVideo, sameSentence } from '../queue/same-files.ts'
import { uploadMemory } from '../transfer/use-upload.ts'
import classes from './same-video.module.css'

type Same = QueueItem['same']

/** Undefined during one's own upload of the file. */
export function useSameVideo(file: File | undefined, userId: number): Same {
  const [found, setFound] = useState<{ file: File; same: Same }>()
  useEffect(() => {
    if (!file) return
    const { name, size, lastModified } = file
    if (uploadMemory.recall({ userId, name, size, lastModified })) return
    let isWanted = true
    void findSameVideo(trpcClient, file, () => isWanted).then((same) => {
      if (isWanted) setFound({ file, same })
    })
    return () => {
      isWanted = false
    }
  }, [file, userId])
  return found?.file === file ? found?.same : undefined
}

/** A duplicate can still be uploaded. */
export function SameVideo({ same }: { same: NonNullable<Same> }) {
  return (
    <p className={classes.same} role="status">
      {sameSentence(same)}.{' '}
      <a href={`/video/${same.videoId}`} target="_blank" rel="noopener">
        Watch the other one
      </a>
    </p>
  )
}
