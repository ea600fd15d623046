import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { notify } from '../kit/notify.tsx'
import { UnreachedError } from './fetch-first.ts'
import classes from './lazy-piece.module.css'

const TITLE = 'This could not be opened'
const MESSAGE = 'Check your connection, or refresh the page.'

/**
 * A piece of a page that is fetched when it is first shown, or before by `preload`; `fallback` stands there
 * meanwhile. When it cannot be fetched the page around it stays: `missing` takes its place, if given, else a
 * dialog says so and closes, and anything else says so where it would be. It is fetched again the next
 * time.
 */
export function lazyPiece<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
  missing?: ReactNode,
) {
  const fetchPiece = () =>
    load().catch((error) => {
      // The browser has said so itself, unless the page is being left.
      if (!(error instanceof UnreachedError)) console.error(error)
      return { default: Missing }
    })
  let current = lazy(fetchPiece)
  function Missing({ onClose }: Props & { onClose?: () => void }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: said once, as it is found missing.
    useEffect(() => {
      current = lazy(fetchPiece)
      if (onClose) {
        notify({ tone: 'error', title: TITLE, message: MESSAGE })
        onClose()
      }
    }, [])
    if (missing !== undefined || onClose) return missing
    return (
      <p className={classes.missing} role="alert">
        {TITLE}. {MESSAGE}
      </p>
    )
  }
  function LazyPiece(props: Props) {
    const [Piece] = useState(() => current)
    return (
      <Suspense fallback={fallback}>
        <Piece {...props} />
      </Suspense>
    )
  }
  return Object.assign(LazyPiece, { preload: () => void fetchPiece() })
}
