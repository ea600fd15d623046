import { Button } from '@mantine/core'
import { useState } from 'react'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { TrimOffer } from '../trim/trim-offer.tsx'
import type { TrimmedFile } from '../trim/trimmed-file.ts'
import classes from './chosen-video.module.css'
import { LocalPreview } from './local-preview.tsx'
import { chunkCountOf, formatMegabytes, VIDEO_ACCEPT } from './video-file.ts'

type ChosenVideoProps = {
  file: File
  /** Source of a trimmed part. */
  whole: File | undefined
  maxBytes: number
  disabled: boolean
  /** Reason why another file was refused. */
  problem: string | undefined
  /** Why no part can be copied. */
  trimProblem: string | undefined
  onPick: (file: File) => void
  onTrimmed: (trimmed: TrimmedFile) => void
  onUseWhole: () => void
}

export function ChosenVideo(props: ChosenVideoProps) {
  const { file, disabled, problem, trimProblem, onPick, ...trim } = props
  const [length, setLength] = useState<{ file: File; seconds: number | undefined }>()
  const chunks = chunkCountOf(file.size)
  return (
    <section className={column(12)} aria-label="Chosen video">
      <LocalPreview
        key={`${file.name} ${file.lastModified} ${file.size}`}
        file={file}
        onLength={(seconds) => setLength({ file, seconds })}
      />
      <div className={`${row(12, 'between')} ${classes.facts}`}>
        <div className={look('shrink')}>
          <p className={look('oneLine', 'strong')} title={file.name}>
            {file.name}
          </p>
          <p className={look('note')}>
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
      <p className={look('problem')} role="alert">
        {problem}
      </p>
      {length?.file === file && (
        <TrimOffer
          {...trim}
          file={file}
          durationSeconds={length.seconds}
          problem={trimProblem}
          disabled={disabled}
        />
      )}
    </section>
  )
}
