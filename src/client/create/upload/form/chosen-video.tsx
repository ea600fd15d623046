import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import classes from './chosen-video.module.css'
import { chunkCountOf, formatMegabytes, VIDEO_ACCEPT } from './video-file.ts'

type ChosenVideoProps = {
  file: File
  disabled: boolean
  /** Why the file chosen instead was not taken. */
  problem: string | undefined
  onPick: (file: File) => void
}

/** The file that will be sent: how it looks, its name, size and number of chunks. */
export function ChosenVideo({ file, disabled, problem, onPick }: ChosenVideoProps) {
  const chunks = chunkCountOf(file.size)
  return (
    <section className={classes.root} aria-label="Chosen video">
      <LocalPreview key={`${file.name} ${file.lastModified} ${file.size}`} file={file} />
      <div className={classes.facts}>
        <div className={classes.words}>
          <p className={classes.name} title={file.name}>
            {file.name}
          </p>
          <p className={classes.size}>
            {formatMegabytes(file.size)} · {chunks === 1 ? '1 chunk' : `${chunks} chunks`}
          </p>
        </div>
        <PickFile label="Video file" accept={VIDEO_ACCEPT} onPick={onPick}>
          {(button) => (
            <Button variant="default" size="sm" disabled={disabled} {...button}>
              Change Video
            </Button>
          )}
        </PickFile>
      </div>
      <p className={classes.problem} role="alert">
        {problem}
      </p>
    </section>
  )
}

/** Plays the file from the disk; many browsers cannot show every format that the server takes. */
function LocalPreview({ file }: { file: File }) {
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
        if (event.currentTarget.hasAttribute('src')) setShowable(false)
      }}
      onLoadedMetadata={(event) => {
        if (event.currentTarget.videoWidth === 0) setShowable(false)
      }}
    />
  )
}
