import { Button, UnstyledButton } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { useObjectUrl } from '#client/platform/use-object-url.ts'
import { formatBytes } from '#shared/text/format.ts'
import { THUMBNAIL_ACCEPT, thumbnailProblem } from '../../thumbnail-problem.ts'
import classes from './thumbnail-field.module.css'

const areaLook = column(
  4,
  'middle',
  'centre',
  'fullWidth',
  'pad12',
  'card',
  'surface',
  'widescreen',
  'textColor',
  'centredText',
)

type ThumbnailFieldProps = {
  thumbnail: File | undefined
  maxBytes: number
  disabled: boolean
  onChange: (thumbnail: File | undefined) => void
}

/** Shown as on a card. */
export function ThumbnailField({ thumbnail, maxBytes, disabled, onChange }: ThumbnailFieldProps) {
  const [problem, setProblem] = useState<string>()
  const pick = (file: File | undefined) => {
    if (!file) return
    const found = thumbnailProblem(file, maxBytes)
    setProblem(found)
    if (!found) onChange(file)
  }
  return (
    <div className={column(8)}>
      <PickFile label="Thumbnail" accept={THUMBNAIL_ACCEPT} onPick={pick}>
        {(button) => (
          <UnstyledButton
            {...button}
            className={`${areaLook} ${classes.area}`}
            disabled={disabled}
            data-filled={thumbnail ? true : undefined}
            aria-describedby={problem && 'thumbnail-problem'}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              pick(event.dataTransfer.files[0])
            }}
          >
            {thumbnail ? (
              <>
                <Preview picture={thumbnail} />
                <span
                  className={`${classes.change} ${look('rounded', 'scrim', 'pad4x8', 'size13')}`}
                >
                  Click to change
                </span>
              </>
            ) : (
              <>
                <IconPhoto size={24} stroke={1.75} aria-hidden />
                <span>Add a custom thumbnail (optional)</span>
                <span className={look('note')}>PNG, JPG up to {formatBytes(maxBytes)}</span>
              </>
            )}
          </UnstyledButton>
        )}
      </PickFile>
      {thumbnail && (
        <div className={`${row(8, 'between')} ${classes.chosen}`}>
          <span className={look('oneLine', 'note')}>{thumbnail.name}</span>
          <Button
            variant="subtle"
            size="sm"
            disabled={disabled}
            onClick={() => onChange(undefined)}
          >
            Remove thumbnail
          </Button>
        </div>
      )}
      <p id="thumbnail-problem" className={look('problem')} role="alert">
        {problem}
      </p>
    </div>
  )
}

function Preview({ picture }: { picture: File }) {
  const url = useObjectUrl(picture)
  return (
    <span role="img" aria-label="Your thumbnail">
      {url && <FittedImage src={url} />}
    </span>
  )
}
