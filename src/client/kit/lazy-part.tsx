import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { UnreachedError } from '../lib/fetch-first.ts'
import classes from './lazy-part.module.css'
import { notify } from './notify.tsx'

const TITLE = 'This could not be opened'
const MESSAGE = 'Check your connection, or refresh the page.'

/**
 * A part of a page that is fetched when it is first shown, or before by `preload`; `fallback`, or its own `standIn`, stands
 * there meanwhile. When it cannot be fetched the page around it stays: `missing` takes its place, if given, else a
 * dialog says so and closes, and anything else says so where it would be. It is fetched again the next
 * time.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
  missing?: ReactNode,
) {
  const fetchPart = () =>
    load().catch((error) => {
      // The browser has said so itself, unless the page is being left.
      if (!(error instanceof UnreachedError)) console.error(error)
      return { default: Missing }
    })
  let current = lazy(fetchPart)
  function Missing({ onClose }: Props & { onClose?: () => void }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: said once, as it is found missing.
    useEffect(() => {
      current = lazy(fetchPart)
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
