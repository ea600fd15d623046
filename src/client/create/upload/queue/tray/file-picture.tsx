import { useEffect, useState } from 'react'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { Thumbnail } from '#client/kit/video/thumbnail.tsx'
import { framePicture } from './frame-picture.ts'
import classes from './tray-row.module.css'

/** If the browser can decode it. */
export function FilePicture({ file }: { file: File | undefined }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    let isThere = true
    if (file) void framePicture(file).then((picture) => isThere && setAddress(picture))
    return () => {
      isThere = false
    }
  }, [file])
  return (
    <Thumbnail src={address} className={`${look('centred', 'ground', 'muted')} ${classes.picture}`}>
      <FilmDrawing />
    </Thumbnail>
  )
}
