import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { encode } from 'uqr'
import { row, stack } from '#client/kit/layout/layout.ts'
import classes from './share-dialog.module.css'

/** Modules of white margin that cameras need. */
const BORDER = 2

export function QrCode({ text, name }: { text: string; name: string }) {
  const { data, size } = encode(text, { border: BORDER })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  const box = `0 0 ${size} ${size}`
  const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" shape-rendering="crispEdges"><path fill="white" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
  return (
    <div className={row(16)}>
      <svg
        className={classes.code}
        viewBox={box}
        shapeRendering="crispEdges"
        role="img"
        aria-label={`QR code of ${text}`}
      >
        <path fill="currentColor" d={path} />
      </svg>
      <div className={`${classes.words} ${stack(8, 'note')}`}>
        <p>Point a phone's camera at it to open the video there.</p>
        <Button
          component="a"
          variant="default"
          href={`data:image/svg+xml,${encodeURIComponent(file)}`}
          download={`${name}.svg`}
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
        >
          Download
        </Button>
      </div>
    </div>
  )
}
