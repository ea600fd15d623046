import { Button } from '@mantine/core'
import { IconScissors } from '@tabler/icons-react'
import { useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { formatBytes } from '#shared/text/format.ts'
import classes from './trim-offer.module.css'
import { hasTrimmableName, type TrimmedFile } from './trimmed-file.ts'

const offerLook = `${row([8, 12], 'wrap', 'between', 'pad12', 'size13', 'framed')} ${classes.offer}`

/** Longer recordings are probably worth trimming. */
const LONG_SECONDS = 5 * 60

/** From here on the page says when trimming is impossible. */
const LARGE_BYTES = 100 * 1024 * 1024

const WHOLE_INSTEAD = 'You can upload the whole file and trim it afterwards.'

const TrimDialog = lazyPart(() => import('./trim-dialog.tsx'))

type TrimOfferProps = {
  file: File
  /** Undefined when unplayable here. */
  durationSeconds: number | undefined
  maxBytes: number
  /** Source of a trimmed part. */
  whole: File | undefined
  /** Why no part can be copied. */
  problem: string | undefined
  disabled: boolean
  onTrimmed: (trimmed: TrimmedFile) => void
  onUseWhole: () => void
}

/** For a long or large file. */
export function TrimOffer(props: TrimOfferProps) {
  const { file, durationSeconds, maxBytes, whole, problem, disabled } = props
  const [isOpen, setOpen] = useState(false)
  if (whole) {
    return (
      <div className={offerLook} role="status">
        <p>
          Only this part is uploaded:{' '}
          <span className={look('strong', 'textColor', 'nowrap')}>
            {formatBytes(whole.size)} → {formatBytes(file.size)}
          </span>
        </p>
        <Button variant="default" size="sm" disabled={disabled} onClick={props.onUseWhole}>
          Use the whole file
        </Button>
      </div>
    )
  }
  const isLong = durationSeconds === undefined || durationSeconds > LONG_SECONDS
  const isKnown = hasTrimmableName(file.name)
  const isWorth = isKnown ? isLong || file.size > maxBytes : file.size > LARGE_BYTES
  if (!isWorth) return null
  if (problem) {
    return (
      <div className={offerLook}>
        <p>{isKnown ? `${problem} ${WHOLE_INSTEAD}` : problem}</p>
      </div>
    )
  }
  return (
    <div className={offerLook}>
      <p>Need only part of it? Trim it first, and upload less.</p>
      <Button
        variant="default"
        size="sm"
        disabled={disabled}
        leftSection={<IconScissors size={18} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
        onPointerEnter={TrimDialog.preload}
      >
        Trim before uploading
      </Button>
      {isOpen && (
        <TrimDialog
          file={file}
          maxBytes={maxBytes}
          onTrimmed={props.onTrimmed}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
