import { encode } from 'uqr'
import classes from './qr-code.module.css'

/** Width of the white margin in modules. Cameras do not read codes without one. */
const BORDER = 2

function draw(text: string) {
  const { data, size } = encode(text, { border: BORDER })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return { path, size, box: `0 0 ${size} ${size}` }
}

/** @param label for screen readers */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, box } = draw(text)
  return (
    <svg
      className={classes.code}
      viewBox={box}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill="currentColor" d={path} />
    </svg>
  )
}

/** Returns the code as the text of an SVG file. */
export function qrCodeFile(text: string): string {
  const { path, size, box } = draw(text)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" shape-rendering="crispEdges"><path fill="white" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}
