import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import { Spinner } from '#client/kit/spinner.tsx'
import { formatBytes, formatTenths } from '#shared/text/format.ts'
import classes from './trim-dialog.module.css'
import { TrimRangeField } from './trim-range-field.tsx'
import { TrimError, type TrimRange, type TrimSource } from './trim-source.ts'
import { type TrimmedFile, trimFile } from './trimmed-file.ts'
import { useCopyStart, useTrimSource } from './use-trim-source.ts'

type TrimDialogProps = {
  file: File
  maxBytes: number
  onTrimmed: (trimmed: TrimmedFile) => void
  onClose: () => void
}

const FAILED = 'The part could not be copied. Nothing was changed; you can try again.'
const NO_ROOM =
  'There is not enough disk space for this part. Free some space, or choose a shorter part.'

/** Only the chosen part is uploaded. */
export default function TrimDialog(props: TrimDialogProps) {
  const opening = useTrimSource(props.file)
  return (
    <Dialog title="Trim before uploading" size={880} onClose={props.onClose} isSpaced>
      {opening.state === 'opening' && (
        <div className={classes.waiting}>
          <Spinner />
        </div>
      )}
      {opening.state === 'refused' && <p role="alert">{opening.sentence}</p>}
      {opening.state === 'ready' && <Chooser {...props} source={opening.source} />}
    </Dialog>
  )
}

function Chooser(props: TrimDialogProps & { source: TrimSource }) {
  const { file, source, maxBytes, onTrimmed, onClose } = props
  const { durationSeconds } = source
  const [range, setRange] = useState<TrimRange>({ fromSeconds: 0, toSeconds: durationSeconds })
  const start = useCopyStart(source, range.fromSeconds)
  const { run, stop, percent, problem } = useTrimming(props)
  const length = range.toSeconds - (start ?? range.fromSeconds)
  const bytes = (file.size * length) / durationSeconds
  const isRunning = percent !== undefined
  const isTooLarge = bytes > maxBytes
  const submit = async () => {
    const trimmed = await run(range)
    if (!trimmed) return
    onTrimmed(trimmed)
    onClose()
  }
  return (
    <>
      <TrimRangeField
        file={file}
        durationSeconds={durationSeconds}
        range={range}
        isDisabled={isRunning}
        onChange={setRange}
      />
      <div>
        <p>
          <span className={look('strong')}>{formatTenths(length)}</span> of{' '}
          {formatTenths(durationSeconds)}, about{' '}
          <span className={look('strong')}>{formatBytes(bytes)}</span> of {formatBytes(file.size)}
        </p>
        <p className={classes.note}>
          <StartNote start={start} fromSeconds={range.fromSeconds} />
        </p>
      </div>
      {isRunning && <WorkBar label="Copying the part" percent={percent} />}
      <p className={look('problem')} role="alert">
        {problem ??
          (isTooLarge && `Choose less: a video may have at most ${formatBytes(maxBytes)}.`)}
      </p>
      <div className={row([8, 12], 'wrap', 'end')}>
        <Button variant="default" onClick={isRunning ? stop : onClose}>
          Cancel
        </Button>
        <Button
          disabled={isRunning || isTooLarge || start === undefined}
          onClick={() => void submit()}
        >
          {isRunning ? `Copying... ${percent}%` : 'Upload this part'}
        </Button>
      </div>
    </>
  )
}

type StartNoteProps = { start: number | undefined; fromSeconds: number }

/** A copy without encoding begins at a key frame. */
function StartNote({ start, fromSeconds }: StartNoteProps) {
  if (start === undefined || Math.abs(start - fromSeconds) < 0.05) {
    return 'No quality is lost.'
  }
  return `No quality is lost, but it starts a little earlier, at ${formatTenths(start)} (the nearest key frame). The studio cuts to the exact frame.`
}

/** Leaving the dialog aborts it. */
function useTrimming({ file, source }: { file: File; source: TrimSource }) {
  const [percent, setPercent] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const stop = () => running.current?.abort()
  const run = async (range: TrimRange): Promise<TrimmedFile | undefined> => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setProblem(undefined)
    setPercent(0)
    try {
      const onProgress = (share: number) => setPercent(Math.floor(share * 100))
      return await trimFile(source, file, range, { signal, onProgress })
    } catch (error) {
      if (!signal.aborted) setProblem(sentenceOf(error))
    } finally {
      setPercent(undefined)
    }
  }
  return { run, stop, percent, problem }
}

function sentenceOf(error: unknown): string {
  if (error instanceof TrimError) return error.message
  return error instanceof Error && error.name === 'QuotaExceededError' ? NO_ROOM : FAILED
}
