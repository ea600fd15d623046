import { Button } from '@mantine/core'
import { IconFileUpload, IconPencil, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { trpc } from '#client/trpc.ts'
import type { Captions } from '#shared/schemas/caption.schemas.ts'
import classes from './captions-field.module.css'
import { CaptionsRename } from './captions-rename.tsx'
import { EncodingField } from './encoding-field.tsx'
import { languageName } from './languages.ts'
import { useCaptionsFile } from './use-captions-file.ts'
import { CAPTIONS_ACCEPT, captionsProblem, useSendCaptions } from './use-send-captions.ts'

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const

export function CaptionsRow({ videoId, track }: { videoId: number; track: Captions }) {
  const { id, label, language, url } = track
  const utils = trpc.useUtils()
  const [problem, setProblem] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const [isRenaming, setRenaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const stopRenaming = () => {
    setRenaming(false)
    requestAnimationFrame(() => renameButton.current?.focus())
  }
  const replace = useSendCaptions(videoId)
  const remove = trpc.caption.delete.useMutation({
    onSuccess: () => utils.video.playback.invalidate({ id: videoId }),
  })
  const error = replace.error ?? remove.error
  const chosen = useCaptionsFile(language)
  const send = (file: File | undefined) => {
    if (!file) return
    replace.mutate({ file, captionsId: id }, { onSuccess: () => void chosen.choose(undefined) })
  }
  const pick = async (file: File) => {
    const found = captionsProblem(file)
    setProblem(found)
    remove.reset()
    replace.reset()
    const foreign = await chosen.choose(found ? undefined : file)
    if (!found && !foreign) send(file)
  }
  if (isRenaming) {
    return (
      <li className={`${row([0, 12], 'wrap')} ${classes.row}`}>
        <CaptionsRename videoId={videoId} track={track} onDone={stopRenaming} />
      </li>
    )
  }
  return (
    <li ref={passFocusOnRemoval} className={`${row([0, 12], 'wrap')} ${classes.row}`}>
      <span className={`${row([0, 8], 'wrap', 'baseline', 'shrink')} ${classes.name}`}>
        <a href={url} download={`${label}.vtt`} title="Download">
          {label}
        </a>
        {languageName(language) !== label && (
          <span className={look('note')}>{languageName(language)}</span>
        )}
      </span>
      {isAsking ? (
        <span className={`${classes.buttons} ${row(4)}`}>
          <Button variant="subtle" size="sm" onClick={() => setAsking(false)}>
            Keep
          </Button>
          <Button
            autoFocus
            variant="default"
            size="sm"
            disabled={remove.isPending}
            onClick={() => remove.mutate({ id })}
          >
            {remove.isPending ? 'Deleting...' : `Delete ${label}`}
          </Button>
        </span>
      ) : (
        <span className={row(4)}>
          <IconButton
            ref={renameButton}
            className={classes.tool}
            aria-label={`Rename ${label}`}
            hint="Rename"
            onClick={() => setRenaming(true)}
          >
            <IconPencil {...ICON} />
          </IconButton>
          <PickFile
            label={`File for ${label}`}
            accept={CAPTIONS_ACCEPT}
            onPick={(file) => void pick(file)}
          >
            {(button) => (
              <IconButton
                className={classes.tool}
                aria-label={`Replace ${label}`}
                hint="Replace"
                disabled={replace.isPending}
                {...button}
              >
                <IconFileUpload {...ICON} />
              </IconButton>
            )}
          </PickFile>
          <IconButton
            className={classes.tool}
            aria-label={`Delete ${label}`}
            hint="Delete"
            onClick={() => setAsking(true)}
          >
            <IconTrash {...ICON} />
          </IconButton>
        </span>
      )}
      {chosen.foreign && (
        <div className={`${stack([12, 16], 'fullWidth', 'pad16', 'framed')} ${classes.form}`}>
          <EncodingField {...chosen.foreign} onChange={chosen.setEncoding} />
          <div className={`${classes.buttons} ${row(4)}`}>
            <Button variant="subtle" onClick={() => void chosen.choose(undefined)}>
              Discard
            </Button>
            <Button
              variant="default"
              disabled={replace.isPending}
              onClick={() => send(chosen.readable())}
            >
              Replace captions
            </Button>
          </div>
        </div>
      )}
      <p className={look('fullWidth', 'note', 'hiddenWhenEmpty')} role="status">
        {replace.isPending && 'Uploading...'}
        {replace.isSuccess && !problem && ['Replaced.', replace.data.notice].join(' ').trim()}
      </p>
      <p className={look('fullWidth', 'across', 'problem')} role="alert">
        {problem ?? (error ? serverSentence(error) || 'That could not be done.' : '')}
      </p>
    </li>
  )
}
