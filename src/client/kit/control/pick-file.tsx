import { FileButton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'

type PickFileProps = {
  /** For screen readers. */
  label: string
  /** Such as `image/png,image/jpeg`. */
  accept: string
  onPick: (file: File) => void
  /** The opener. */
  children: (props: { onClick: () => void }) => ReactNode
}

/** The same file may be chosen again. */
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
