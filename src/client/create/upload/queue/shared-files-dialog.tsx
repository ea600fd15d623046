import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { formatBytes } from '#shared/text/format.ts'
import {
  discardSharedFiles,
  listSharedFiles,
  type SharedFile,
  uploadSharedFiles,
} from './shared-files.ts'
import { counted } from './tray/row-texts.ts'

/** Asks whether to upload files of the share sheet. Closing the dialog keeps them for the next visit. */
export default function SharedFilesDialog({ onClose }: { onClose: () => void }) {
  const [shared, setShared] = useState<SharedFile[]>([])
  useEffect(() => void listSharedFiles().then(setShared), [])
  if (shared.length === 0) return null
  const answer = (act: typeof uploadSharedFiles) => {
    onClose()
    void act(shared)
  }
  return (
    <Dialog title={`Upload ${counted(shared.length, 'shared video')}?`} onClose={onClose}>
      <ul className={stack(8)}>
        {shared.map(({ address, file }) => (
          <li key={address} className={look('breakWords')}>
            {file.name} <span className={look('muted')}>{formatBytes(file.size)}</span>
          </li>
        ))}
      </ul>
      <div className={wrapped(12, 'end', 'above24')}>
        <Button variant="default" onClick={() => answer(discardSharedFiles)}>
          Discard
        </Button>
        <Button onClick={() => answer(uploadSharedFiles)}>Upload</Button>
      </div>
    </Dialog>
  )
}
