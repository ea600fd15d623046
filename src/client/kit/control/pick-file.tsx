import { FileButton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'

type PickFileProps = {
  /** What the file is for; names the field for screen readers. */
  label: string
  /** Of the input: `image/png,image/jpeg`. */
  accept: string
  onPick: (file: File) => void
  /** The button that opens the browser's dialog. */
  children: (props: { onClick: () => void }) => ReactNode
}

/** Has one file chosen; the same file may be chosen again. */
export function PickFile({ label, accept, onPick, children }: PickFileProps) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      accept={accept}
      resetRef={reset}
      inputProps={{ 'aria-label': label, tabIndex: -1 }}
      onChange={(file) => {
        reset.current?.()
        if (file) onPick(file)
      }}
    >
      {children}
    </FileButton>
  )
}
