import { useEffect, useState } from 'react'
import { openTrimSource, TrimError, type TrimSource, UNREADABLE } from './trim-source.ts'

type Opening =
  | { state: 'opening' }
  | { state: 'ready'; source: TrimSource }
  | { state: 'refused'; sentence: string }

/** Closed on unmount. */
export function useTrimSource(file: File): Opening {
  const [opening, setOpening] = useState<Opening>({ state: 'opening' })
  useEffect(() => {
    let isWanted = true
    let opened: TrimSource | undefined
    openTrimSource(file)
      .then((source) => {
        opened = source
        if (isWanted) setOpening({ state: 'ready', source })
        else source.close()
      })
      .catch((error: unknown) => {
        const sentence = error instanceof TrimError ? error.message : UNREADABLE
        if (isWanted) setOpening({ state: 'refused', sentence })
      })
    return () => {
      isWanted = false
      opened?.close()
    }
  }, [file])
  return opening
}

/** Undefined until known. */
export function useCopyStart(source: TrimSource, fromSeconds: number): number | undefined {
  const [found, setFound] = useState<{ from: number; at: number }>()
  useEffect(() => {
    let isWanted = true
    void source.startOf(fromSeconds).then(
      (at) => isWanted && setFound({ from: fromSeconds, at }),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [source, fromSeconds])
  return found?.from === fromSeconds ? found.at : undefined
}
