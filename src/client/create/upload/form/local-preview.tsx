import { useCallback, useState } from 'react'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import classes from './local-preview.module.css'

type LocalPreviewProps = {
  file: File
  /** Called with the length of the file, and with undefined when this browser cannot play it. */
  onLength?: (seconds: number | undefined) => void
}

/** Plays the file from the disk; many browsers cannot show every format that the server takes. */
export function LocalPreview({ file, onLength }: LocalPreviewProps) {
  const [isShowable, setShowable] = useState(true)
  const show = useCallback(
    (video: HTMLVideoElement) => {
      const url = URL.createObjectURL(file)
      video.src = url
      return () => {
        video.removeAttribute('src')
        URL.revokeObjectURL(url)
      }
    },
    [file],
  )
  const giveUp = () => {
    setShowable(false)
    onLength?.(undefined)
  }
  if (!isShowable) {
    return (
      <div className={classes.preview} data-empty>
        <FilmDrawing />
        <p>No preview for this format. It plays once it is uploaded.</p>
      </div>
    )
  }
  return (
    <video
      ref={show}
      className={classes.preview}
      aria-label="Preview of the chosen video"
      controls
      muted
      playsInline
      preload="metadata"
      onError={(event) => {
        if (event.currentTarget.hasAttribute('src')) giveUp()
      }}
      onLoadedMetadata={(event) => {
        if (event.currentTarget.videoWidth === 0) giveUp()
        else onLength?.(event.currentTarget.duration)
      }}
    />
  )
}
