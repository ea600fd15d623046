import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useRef,
  useState,
} from 'react'
import { look } from '../layout/layout.ts'
import classes from './moving-picture.module.css'

const DELAY_MS = 400

type Preview = {
  /** For the hovered or focused element. */
  handlers: {
    onPointerEnter: (event: PointerEvent<HTMLElement>) => void
    onPointerLeave: () => void
    onFocus: (event: FocusEvent<HTMLElement>) => void
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
  /** Overlay; null when stopped. */
  picture: ReactNode
}

/**
 * Storyboard preview after hovering or focusing a card; not on touch or with reduced motion. Loads
 * on demand.
 * @param url WebVTT, or null
 */
export function usePreview(url: string | null): Preview {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isPlaying, setPlaying] = useState(false)
  const begin = () => {
    if (url === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPlaying(true), DELAY_MS)
  }
  const end = () => {
    clearTimeout(timer.current)
    setPlaying(false)
  }
  return {
    handlers: {
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && begin(),
      onPointerLeave: end,
      onFocus: ({ target }) => target.matches(':focus-visible') && begin(),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) end()
      },
    },
    picture: isPlaying && url !== null ? <MovingPicture url={url} /> : null,
  }
}

/** The poster stays until the first tile. */
function MovingPicture({ url }: { url: string }) {
  const attach = useCallback(
    (canvas: HTMLCanvasElement) => {
      let stop = () => {}
      let isGone = false
      import('#client/platform/video/play-storyboard.ts').then(
        ({ playStoryboard }) => {
          if (!isGone) stop = playStoryboard(canvas, url)
        },
        () => {},
      )
      return () => {
        isGone = true
        stop()
      }
    },
    [url],
  )
  return (
    <canvas
      ref={attach}
      className={`${classes.canvas} ${look('fullWidth', 'coverAnchor', 'fullHeight')}`}
    />
  )
}
