import { Button } from '@mantine/core'
import { useRef } from 'react'
import { MAX_QUEUED_FILES } from '#shared/limits.ts'
import { requestTray } from '../queue/tray-request.ts'
import classes from './several-files.module.css'
import { VIDEO_ACCEPT } from './video-file.ts'

/** The way to many files: they go to the queue. */
export function SeveralFiles() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={classes.root}>
      <input
        ref={input}
        type="file"
        multiple
        accept={VIDEO_ACCEPT}
        aria-label="Several video files"
        tabIndex={-1}
        hidden
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (files.length === 0) return
          requestTray()
          void import('../queue/take-files.ts').then(({ takeFiles }) => takeFiles(files))
        }}
      />
      <Button variant="default" onClick={() => input.current?.click()}>
        Upload several at once
      </Button>
      <p className={classes.hint}>
        Up to {MAX_QUEUED_FILES} files or a folder, dropped anywhere. They go on while you browse.
      </p>
    </div>
  )
}
