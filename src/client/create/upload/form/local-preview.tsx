import { useCallback, useEffect, useRef, useState } from 'react'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { column } from '#client/kit/layout/layout.ts'
import { PlainPlayer } from '#client/kit/video/plain-player.tsx'
import classes from './local-preview.module.css'

type LocalPreviewProps = {
  file: File
  /** Called with the length of the file, and with undefined when this browser cannot play it. */
  onLength?: (seconds: number | undefined) => void
}

/** Plays the file from the disk; many browsers cannot show every format that the server takes. */
export function LocalPreview({ file, onLength }: LocalPreviewProps) {
  const url = useFileUrl(file)
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
        <p>No preview for this format. It plays once it is uploaded.</p>
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

/** An object URL of the file, which is revoked when the component no longer shows it. */
function useFileUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
