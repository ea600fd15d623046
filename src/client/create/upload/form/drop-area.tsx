import { UnstyledButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { column, look } from '#client/kit/layout/layout.ts'
import { formatBytes } from '#shared/text/format.ts'
import classes from './drop-area.module.css'
import { VIDEO_ACCEPT } from './video-file.ts'

type DropAreaProps = {
  maxBytes: number
  /** Reason why the last file was refused. */
  problem: string | undefined
  onPick: (file: File) => void
}

export function DropArea({ maxBytes, problem, onPick }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    setOver(false)
    // The queue takes several files and folders.
    if (!isOneFile(event.dataTransfer)) return
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file) onPick(file)
  }
  return (
    <div className={column(8)}>
      <PickFile label="Video file" accept={VIDEO_ACCEPT} onPick={onPick}>
        {(button) => (
          <UnstyledButton
            {...button}
            className={`${column(4, 'middle', 'centre')} ${classes.area}`}
            data-over={isOver || undefined}
            aria-describedby={problem && 'video-file-problem'}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(true)
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <span className={classes.sight} aria-hidden="true">
              <IconUpload size={28} stroke={1.75} />
            </span>
            <span className={look('heading', 'display')}>Click to select a video file</span>
            <span className={look('muted')}>
              MP4, MOV, or AVI files up to {formatBytes(maxBytes)}
            </span>
          </UnstyledButton>
        )}
      </PickFile>
      <p
        id="video-file-problem"
        className={look('breakWords', 'errorColor', 'hiddenWhenEmpty')}
        role="alert"
      >
        {problem}
      </p>
    </div>
  )
}

function isOneFile({ files, items }: DataTransfer): boolean {
  return files.length === 1 && items[0]?.webkitGetAsEntry()?.isDirectory !== true
}
