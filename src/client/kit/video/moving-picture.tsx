import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useRef,
  useState,
} from 'react'
import classes from './moving-picture.module.css'

const DELAY_MS = 400

type Preview = {
  /** For the element that is pointed at or has the focus. */
  handlers: {
    onPointerEnter: (event: PointerEvent<HTMLElement>) => void
    onPointerLeave: () => void
    onFocus: (event: FocusEvent<HTMLElement>) => void
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
  /** Lies over the picture; null while nothing plays. */
  picture: ReactNode
}

/**
 * The storyboard of a video, played on its card once a mouse or the keyboard has been there for a moment; not by
 * touch, and not where reduced motion is asked for. Nothing is loaded before.
 * @param url a WebVTT file, or null when the video has none
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

/** The poster stays underneath until the first picture is there, and when none comes. */
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
  return <canvas ref={attach} className={classes.canvas} />
}
