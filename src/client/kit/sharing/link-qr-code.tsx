import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { row, stack } from '#client/kit/layout/layout.ts'
import { QrCode, qrCodeFile } from '#client/kit/qr/qr-code.tsx'
import classes from './share-dialog.module.css'

export function LinkQrCode({ text, name }: { text: string; name: string }) {
  return (
    <div className={row(16)}>
      <QrCode text={text} label={`QR code of ${text}`} />
      <div className={`${classes.words} ${stack(8, 'note')}`}>
        <p>Point a phone's camera at it to open the video there.</p>
        <Button
          component="a"
          variant="default"
          href={`data:image/svg+xml,${encodeURIComponent(qrCodeFile(text))}`}
          download={`${name}.svg`}
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
        >
          Download
        </Button>
      </div>
    </div>
  )
}
