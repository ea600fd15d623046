import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { fetchChunk, recoverMissingChunk } from '#client/platform/missing-chunk.tsx'
import { useConnectionLost } from '#client/platform/use-connection-lost.ts'
import { look } from '../layout/layout.ts'

const TITLE = 'This could not be opened'
const MESSAGE = 'Check your connection, or refresh the page.'

/**
 * Loaded on first render or by `preload`, showing `fallback` or `standIn` meanwhile and during
 * outages. On failure a toast appears and `missing` is shown, or a dialog closes, or a message
 * takes its place. The next render retries.
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
      <p className={look('pad16')} role="alert">
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
