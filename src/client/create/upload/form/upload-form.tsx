import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { notify } from '#client/platform/notify.tsx'
import { usePreloadWhenIdle } from '#client/platform/use-preload-when-idle.ts'
import { useSite } from '#client/platform/use-site.ts'
import { trpcClient } from '#client/trpc.ts'
import { readContainer } from '#shared/container-facts/read-container.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import { titleOfFile } from '#shared/file-title.ts'
import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import type { ContainerFacts } from '#shared/recording-name.ts'
import { recogniseName } from '../recording/recognise-file.ts'
import { isUploadRunning } from '../transfer/upload-progress.ts'
import { findTrimProblem, type TrimmedFile } from '../trim/trimmed-file.ts'
import { ChosenVideo } from './chosen-video.tsx'
import { DropArea } from './drop-area.tsx'
import { fileKindProblem } from './file-bytes.ts'
import { OpenUploads } from './open-uploads.tsx'
import { SameVideo } from './same-video.tsx'
import { ThumbnailField } from './thumbnail-field.tsx'
import classes from './upload-form.module.css'
import { UploadStatus } from './upload-status.tsx'
import { useFormItem } from './use-form-item.ts'
import type { VideoFieldValues } from './video-fields.tsx'
import { videoFileProblem } from './video-file.ts'

const REDIRECT_DELAY_MS = 1500

const VideoFields = lazyPart(async () => ({
  default: (await import('./video-fields.tsx')).VideoFields,
}))

const EarlyLinkSwitch = lazyPart(async () => ({
  default: (await import('./early-link-switch.tsx')).EarlyLinkSwitch,
}))

const EMPTY: VideoFieldValues = {
  title: '',
  description: '',
  category: DEFAULT_CATEGORY,
  tags: [],
  isAnonymous: false,
  visibility: null,
  squadId: null,
  participants: [],
}

type UploadFormProps = {
  userId: number
  maxVideoBytes: number
  maxThumbnailBytes: number
  /** Called at once. */
  onUploaded: () => void
  /** Delayed, so that the success is visible. */
  onOpenVideo: (videoId: number) => void
}

export function UploadForm(props: UploadFormProps) {
  const { item, progress, prepare, submit: send, cancel } = useFormItem()
  usePreloadWhenIdle(VideoFields)
  const [whole, setFile] = useState<File>()
  const [trimmed, setTrimmed] = useState<TrimmedFile>()
  const file = trimmed?.file ?? whole
  const [container, setContainer] = useState<ContainerFacts>()
  const [fileProblem, setFileProblem] = useState<string>()
  const [trimProblem, setTrimProblem] = useState<string>()
  const [thumbnail, setThumbnail] = useState<File>()
  const [videoId, setVideoId] = useState<number>()
  const site = useSite()
  const isAnonymous = site?.anonymousByDefault ?? false
  const form = useCheckedForm({
    initialValues: { ...EMPTY, isAnonymous },
    validate: { title: titleRule, description: descriptionRule, tags: tagsRule },
  })
  const isRunning = isUploadRunning(progress)
  const isLocked = isRunning || progress.state === 'complete'
  // The dates of a trimmed part are those of trimming.
  const recognised = whole && recogniseName(whole, site?.categories, container)
  useOpenAfterDelay(videoId, props.onOpenVideo)

  const choose = (chosen: File, part?: TrimmedFile): boolean => {
    const categories = site?.categories ?? []
    if (!prepare(chosen, { userId: props.userId, isAnonymous, categories })) return false
    trimmed?.discard()
    setTrimmed(part)
    return true
  }

  const pick = async (picked: File) => {
    if (isLocked) return
    const untrimmable = await findTrimProblem(picked.name)
    const problem =
      (await bytesProblem(picked)) ?? sizeProblemOf(picked, props.maxVideoBytes, untrimmable)
    setFileProblem(problem)
    if (problem) return
    const facts = await readContainer(picked)
    if (!choose(picked)) return
    const isTyped = file && form.values.title !== titleOfFile(file.name)
    if (!isTyped) form.setFieldValue('title', titleOfFile(picked.name))
    setFile(picked)
    setTrimProblem(untrimmable)
    setContainer(facts)
  }

  const upload = async (details: VideoFieldValues) => {
    const outcome = await send({ details, thumbnail })
    if (outcome.kind === 'error') {
      const message = outcome.message || 'An unexpected error occurred'
      notify({ tone: 'error', title: 'Upload Failed', message })
    }
    if (outcome.kind === 'complete') {
      notify({ title: 'Upload Successful', message: await successMessage(outcome.videoId) })
      props.onUploaded()
      trimmed?.discard()
      setVideoId(outcome.videoId)
    }
  }

  const sizeProblem = file && videoFileProblem(file, props.maxVideoBytes)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (file && !sizeProblem) {
      form.onSubmit((values) => void upload(values))(event)
      return
    }
    event.preventDefault()
    const message = sizeProblem ?? 'Please select a video file first'
    notify({ tone: 'error', title: 'Error', message })
  }

  const end = (
    <>
      <UploadStatus
        progress={progress}
        title={form.values.title}
        onRetry={() => void upload(form.values)}
        onCancel={cancel}
      />
      {progress.tooManyOpen && <OpenUploads />}
      <Button
        type="submit"
        variant={progress.state === 'error' ? 'default' : 'filled'}
        className={classes.submit}
        disabled={isLocked}
      >
        {isRunning ? 'Uploading...' : 'Upload Video'}
      </Button>
    </>
  )
  if (!file) {
    return (
      <form className={column(24, 'shrink')} onSubmit={submit} noValidate>
        <DropArea maxBytes={props.maxVideoBytes} problem={fileProblem} onPick={pick} />
        {end}
      </form>
    )
  }
  return (
    <form ref={keepFocus} className={classes.columns} onSubmit={submit} noValidate>
      <div className={`${classes.pictures} ${column(24, 'shrink')}`}>
        <ChosenVideo
          file={file}
          whole={trimmed && whole}
          maxBytes={props.maxVideoBytes}
          disabled={isLocked}
          problem={fileProblem ?? sizeProblem}
          trimProblem={trimProblem}
          onPick={pick}
          onTrimmed={(part) => choose(part.file, part)}
          onUseWhole={() => whole && choose(whole)}
        />
        {item?.same && <SameVideo same={item.same} />}
        <ThumbnailField
          thumbnail={thumbnail}
          maxBytes={props.maxThumbnailBytes}
          disabled={isLocked}
          onChange={setThumbnail}
        />
      </div>
      <div className={column(24, 'shrink')}>
        <fieldset className={column(16, 'shrink')} disabled={isLocked}>
          <legend className="visually-hidden">Video details</legend>
          <VideoFields form={form} recognised={recognised} />
          <EarlyLinkSwitch />
        </fieldset>
        {end}
      </div>
    </form>
  )
}

/** Sending reports an unreadable file. */
async function bytesProblem(file: File): Promise<string | undefined> {
  return file.size === 0 ? undefined : fileKindProblem(file).catch(() => undefined)
}

/** A part of a large file may be small enough. */
function sizeProblemOf(file: File, maxBytes: number, trimProblem: string | undefined) {
  if (trimProblem === undefined) return videoFileProblem(file, Number.POSITIVE_INFINITY)
  const problem = videoFileProblem(file, maxBytes)
  return problem && file.size > maxBytes ? `${problem} ${trimProblem}` : problem
}

/** Some videos have to be processed before they play. */
async function successMessage(videoId: number): Promise<string> {
  const video = await trpcClient.video.get.query({ id: videoId }).catch(() => undefined)
  switch (video?.processingState) {
    case 'ready':
      return 'Your video has been uploaded and processed successfully.'
    case 'failed':
      return 'Your video has been uploaded, but it could not be prepared.'
    default:
      return 'Your video has been uploaded. It plays as soon as it is prepared.'
  }
}

/** The drop area is gone: focuses the first button that replaced it. */
function keepFocus(form: HTMLFormElement | null): void {
  if (document.activeElement === document.body) form?.querySelector('button')?.focus()
}

function useOpenAfterDelay(videoId: number | undefined, onOpen: (videoId: number) => void) {
  useEffect(() => {
    if (videoId === undefined) return
    const timer = setTimeout(() => onOpen(videoId), REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [videoId, onOpen])
}
