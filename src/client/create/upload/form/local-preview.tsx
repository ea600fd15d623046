import { useCallback, useRef, useState } from 'react'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { column } from '#client/kit/layout/layout.ts'
import { PlainPlayer } from '#client/kit/video/plain-player.tsx'
import { useObjectUrl } from '#client/platform/use-object-url.ts'
import classes from './local-preview.module.css'

type LocalPreviewProps = {
  file: File
  /** Undefined when the browser cannot play it. */
  onLength?: (seconds: number | undefined) => void
}

/** Many browsers cannot play every accepted format. */
export function LocalPreview({ file, onLength }: LocalPreviewProps) {
  const url = useObjectUrl(file)
  const [isShowable, setShowable] = useState(true)
  const latest = useRef(onLength)
  latest.current = onLength
  const follow = useCallback((video: HTMLVideoElement) => {
    const over = new AbortController()
    const giveUp = () => {
      setShowable(false)
      latest.current?.(undefined)
    }
    const measure = () => {
      if (video.videoWidth === 0) giveUp()
      else latest.current?.(video.duration)
    }
    video.addEventListener('error', giveUp, { signal: over.signal })
    if (video.readyState >= HTMLMediaElement.HAVE_METADATA) measure()
    else video.addEventListener('loadedmetadata', measure, { signal: over.signal })
    return () => over.abort()
  }, [])
  if (!isShowable) {
    return (
      <div className={`${column(8, 'middle', 'centre')} ${classes.none}`}>
        <FilmDrawing />
        <p>No preview for this format. It will play once it is uploaded.</p>
      </div>
    )
  }
  return (
    <section className={classes.preview} aria-label="Preview of the chosen video">
      {url && (
        <PlainPlayer
          video={{ title: file.name, videoUrl: url, duration: 0 }}
          startsMuted
          onVideo={follow}
        />
      )}
    </section>
  )
}
