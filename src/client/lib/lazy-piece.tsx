import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { notify } from './notify.ts'

/**
 * A piece of a page that is fetched when it is first shown; `fallback` stands there meanwhile. One that cannot
 * be fetched says so, closes itself where it can be closed, and the page around it stays. While the browser
 * is offline nothing is asked for, since browsers keep a module's failure until the page is loaded again.
 */
export function lazyPiece<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
): ComponentType<Props> {
  const begin = () =>
    lazy(async () => {
      try {
        if (navigator.onLine) return await load()
      } catch {}
      return { default: Missing }
    })
  let current = begin()
  function Missing({ onClose }: Props & { onClose?: () => void }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: said once, as it is found missing.
    useEffect(() => {
      current = begin()
      notify({
        tone: 'error',
        title: 'This could not be opened',
        message: 'Check your connection, or refresh the page.',
      })
      onClose?.()
    }, [])
    return null
  }
  return function LazyPiece(props) {
    const [Piece] = useState(() => current)
    return (
      <Suspense fallback={fallback}>
        <Piece {...props} />
      </Suspense>
    )
  }
}
