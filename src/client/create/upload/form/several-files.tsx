import { Button, FileButton } from '@mantine/core'
import { useRef } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { fetchAskedChunk } from '#client/platform/missing-chunk.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { MAX_QUEUED_FILES } from '#shared/limits.ts'
import { requestTray } from '../queue/tray/tray-request.ts'
import { FromAddress } from './from-address.tsx'
import { VIDEO_ACCEPT } from './video-file.ts'

export function SeveralFiles() {
  const reset = useRef<() => void>(null)
  return (
    <div className={row([8, 16], 'wrap', 'above24')}>
      <FileButton
        multiple
        accept={VIDEO_ACCEPT}
        resetRef={reset}
        inputProps={{ 'aria-label': 'Several video files', tabIndex: -1 }}
        onChange={(files) => {
          reset.current?.()
          if (files.length === 0) return
          requestTray()
          void fetchAskedChunk(() => import('../queue/take-files.ts')).then(({ takeFiles }) =>
            takeFiles(files),
          )
        }}
      >
        {(button) => (
          // The label wraps on phones that show text at twice the size.
          <Button variant="default" style={{ whiteSpace: 'normal' }} {...button}>
            Upload several at once
          </Button>
        )}
      </FileButton>
      {useSite()?.fetchesAddresses && <FromAddress />}
      <p className={look('note')}>
        Drop up to {MAX_QUEUED_FILES} files or a folder anywhere. Uploads continue while you browse.
      </p>
    </div>
  )
}
