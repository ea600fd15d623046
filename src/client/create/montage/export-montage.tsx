import { Button, type ButtonProps } from '@mantine/core'
import { IconMovie } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { StartMontage } from '#shared/schemas/montage.schemas.ts'
import type { MontageChoice } from './montage-choice.ts'

const MontageDialog = lazyPart(() => import('./montage-dialog.tsx'))

type ExportMontageProps = ButtonProps & {
  /** In proposed order. */
  choices: readonly MontageChoice[]
  /** Default. */
  title?: string
  /** Default. */
  transition?: StartMontage['transition']
}

export function ExportMontage({
  choices,
  title = '',
  transition = 'fade',
  ...button
}: ExportMontageProps) {
  const [isOpen, setOpen] = useState(false)
  if (choices.length === 0) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMovie size={18} stroke={1.75} aria-hidden />}
        {...button}
        onPointerEnter={MontageDialog.preload}
        onFocus={MontageDialog.preload}
        onClick={() => setOpen(true)}
      >
        Export as one video
      </Button>
      {isOpen && (
        <MontageDialog {...{ choices, title, transition }} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
