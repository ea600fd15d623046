import { column, look, row } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconCut, IconX } from '@tabler/icons-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useWaveform } from '#client/kit/timeline/use-waveform.ts'
import { errorSentence, serverSentence } from '#client/platform/error-message.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { copyWhenKnown } from '#client/platform/video/share-link.ts'
import { trpc } from '#client/trpc.ts'
import { titleRule } from '#shared/field-rules.ts'
import { CLIP_SECONDS_MAX, CLIP_SECONDS_MIN, TITLE_MAX } from '#shared/limits.ts'
import type { CreateClip } from '#shared/schemas/clip.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { useStoryboard } from '../../player/controls/use-storyboard.ts'
import type { Player } from '../../player/core/player.ts'
import { ClipMade } from './clip-made.tsx'
import classes from './clip-maker.module.css'
import { RangeStrip } from './range-strip.tsx'
import { useRangeChoice } from './use-range-choice.ts'
import { useSuggestedTitles } from './use-suggested-titles.ts'

const LIMITS = {
  short: `A clip is at least ${CLIP_SECONDS_MIN} seconds long.`,
  long: `A clip is at most ${CLIP_SECONDS_MAX / 60} minutes long.`,
}

type ClipMakerProps = {
  video: Video
  player: Player
  /** Opened by key: focuses the title, so that Enter creates the clip. */
  isByKey: boolean
  onClose: () => void
}

/** Works with the player above it. */
export default function ClipMaker({ video, player, isByKey, onClose }: ClipMakerProps) {
  const { id: videoId, storyboardUrl } = video
  const id = useId()
  const hintId = useHasKeys() ? id : undefined
  const formRef = useRef<HTMLFormElement>(null)
  const { data: playback } = trpc.video.playback.useQuery({ id: videoId })
  const peaks = useWaveform(playback?.waveformUrl ?? null)
  const { tiles, load } = useStoryboard(storyboardUrl)
  const choice = useRangeChoice(player, video.duration)
  const { range, limit } = choice
  const [typed, setTyped] = useState<string>()
  const suggestions = useSuggestedTitles(video, range)
  const title = typed ?? suggestions[0]
  const { create, made, isCopied, make, forget } = useCreateClip()
  const [isChecked, setChecked] = useState(false)
  const wrongTitle = isChecked ? titleRule(title) : undefined
  const problem = create.error && (serverSentence(create.error) || errorSentence(create.error))

  useArrival(formRef, isByKey)
  useReturn(formRef, made !== undefined)
  // A suggestion that arrives later clears the selection, so the field is selected again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the title changes.
  useEffect(() => {
    const field = document.activeElement
    if (typed === undefined && field instanceof HTMLInputElement) {
      if (formRef.current?.contains(field)) field.select()
    }
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, they are wanted at once.
  useEffect(load, [])

  const close = () => {
    choice.leave()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (titleRule(title) || create.isPending) return
    const { start: startSeconds, end: endSeconds } = range
    make({ videoId, title: title.trim(), startSeconds, endSeconds })
  }
  const goOn = () => {
    forget()
    setTyped(undefined)
    setChecked(false)
    choice.goOn()
  }
  if (made) {
    return (
      <ClipMade clip={made} {...{ player, isCopied, suggestions }} onNext={goOn} onClose={close} />
    )
  }
  return (
    <form
      ref={formRef}
      className={`${classes.root} ${column(8, 'framed', 'pad12')}`}
      data-maker
      aria-label="New clip"
      tabIndex={-1}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <RangeStrip
        {...choice}
        {...{ player, tiles, peaks, hintId }}
        onGrab={choice.grab}
        onMove={choice.move}
        onKeyMove={choice.moveByKey}
        onRelease={choice.release}
      />
      <div
        className={`${classes.length} ${row(16, 'baseline', 'middle', 'note')}`}
        data-limited={limit ?? undefined}
      >
        <b>{(range.end - range.start).toFixed(1)} s</b>
        <span className={look('errorColor', 'hiddenWhenEmpty')} role="status">
          {limit && LIMITS[limit]}
        </span>
        {hintId && (
          <span id={hintId} className={classes.hint}>
            <kbd>,</kbd> <kbd>.</kbd> move an end by a frame, with <kbd>Shift</kbd> by a second
          </span>
        )}
      </div>
      <div className={`${classes.fields} ${row(8, 'start')}`}>
        <TextInput
          className={`${classes.title} ${look('fill')}`}
          name="title"
          aria-label="Title"
          placeholder="Name the clip"
          maxLength={TITLE_MAX}
          autoComplete="off"
          value={title}
          error={wrongTitle ?? problem}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          className={classes.create}
          loading={create.isPending}
          leftSection={<IconCut size={20} stroke={1.75} aria-hidden />}
        >
          Create
        </Button>
        <ActionIcon aria-label="Close the clip maker" title="Close" onClick={close}>
          <IconX size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
    </form>
  )
}

/** Creates a clip and copies its link, which browsers allow only within the press. */
function useCreateClip() {
  const utils = trpc.useUtils()
  const [isCopied, setCopied] = useState<boolean>()
  const create = trpc.clip.create.useMutation({
    onSuccess: (clip) => {
      utils.clip.byId.setData({ id: clip.id }, clip)
      const { ofVideo, ofChannel, mine, newest, bestOfWeek } = utils.clip
      for (const list of [ofVideo, ofChannel, mine, newest, bestOfWeek]) void list.invalidate()
    },
  })
  return {
    create,
    made: create.data,
    isCopied,
    make: (input: CreateClip) => {
      setCopied(undefined)
      const made = create.mutateAsync(input)
      const link = made.then(({ id }) => new URL(`/clip/${id}`, location.origin).href)
      void copyWhenKnown(link).then(setCopied)
    },
    forget: () => {
      create.reset()
      setCopied(undefined)
    },
  }
}

/** Focuses the form again when the next clip is to be made. */
function useReturn(formRef: { current: HTMLFormElement | null }, isMade: boolean) {
  const wasMade = useRef(false)
  useEffect(() => {
    if (wasMade.current && !isMade) formRef.current?.focus({ preventScroll: true })
    wasMade.current = isMade
  }, [formRef, isMade])
}

/** Scrolls into view and focuses; restores the focus at the end. */
function useArrival(formRef: { current: HTMLFormElement | null }, isByKey: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it was opened.
  useEffect(() => {
    const form = formRef.current
    const before = document.activeElement
    const field = form?.querySelector('input')
    if (isByKey) field?.select()
    else form?.focus({ preventScroll: true })
    form?.scrollIntoView({ block: 'nearest' })
    return () => {
      const isHere =
        document.activeElement === document.body || form?.contains(document.activeElement)
      if (isHere && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
}
