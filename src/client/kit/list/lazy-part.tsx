import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { fetchChunk, recoverMissingChunk } from '#client/platform/missing-chunk.tsx'
import { useConnectionLost } from '#client/platform/use-connection-lost.ts'
import classes from './lazy-part.module.css'

const TITLE = 'This could not be opened'
const MESSAGE = 'Check your connection, or refresh the page.'

/**
 * A part of a page that is fetched when it is first shown, or before by `preload`; `fallback`, or its own `standIn`, stands
 * there meanwhile, and for as long as the connection is lost. When it cannot be fetched a toast says so and the page around
 * it stays: `missing` takes its place, if given, else a dialog closes, and anything else says so where it would be. It is
 * fetched again the next time.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
  missing?: ReactNode,
) {
  const fetchPart = () =>
    fetchChunk(load).catch((error) => {
      console.error(error)
      return { default: Missing }
    })
  let current = lazy(fetchPart)
  function Missing({ onClose }: Props & { onClose?: () => void }) {
    const isLost = useConnectionLost()
    // biome-ignore lint/correctness/useExhaustiveDependencies: said once, as it is found missing.
    useEffect(() => {
      current = lazy(fetchPart)
      void recoverMissingChunk({ isQuiet: missing !== undefined })
      onClose?.()
    }, [])
    if (missing !== undefined || onClose || isLost) return missing
    return (
      <p className={classes.missing} role="alert">
        {TITLE}. {MESSAGE}
      </p>
    )
  }
  function LazyPart({ standIn, ...props }: Props & { standIn?: ReactNode }) {
    const [Part] = useState(() => current)
    return (
      <Suspense fallback={standIn ?? fallback}>
        <Part {...(props as unknown as Props)} />
      </Suspense>
    )
  }
  return Object.assign(LazyPart, { preload: () => void fetchPart() })
}
