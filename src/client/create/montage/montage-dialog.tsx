import '#client/kit/styles/mantine-pages.css'
import { Button, Switch, TextInput } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { FormButtons } from '#client/kit/dialog/form-buttons.tsx'
import { useDiscardQuestion } from '#client/kit/dialog/use-discard-question.tsx'
import { column, look, row, wrapped } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { titleRule } from '#shared/field-rules.ts'
import { MONTAGE_ITEMS_MAX, MONTAGE_SECONDS_MAX, TITLE_MAX } from '#shared/limits.ts'
import { planMontage } from '#shared/montage.ts'
import type { StartMontage } from '#shared/schemas/montage.schemas.ts'
import { countOf, formatDuration } from '#shared/text/format.ts'
import classes from './montage.module.css'
import type { MontageChoice } from './montage-choice.ts'
import { type MontageEntry, MontageList } from './montage-list.tsx'

const TRANSITIONS: readonly { value: StartMontage['transition']; label: string }[] = [
  { value: 'fade', label: 'Cross-fade' },
  { value: 'cut', label: 'Hard cut' },
]

type MontageDialogProps = {
  choices: readonly MontageChoice[]
  title: string
  transition: StartMontage['transition']
  onClose: () => void
}

export default function MontageDialog(props: MontageDialogProps) {
  const { choices, title: proposed, transition: usual, onClose } = props
  const [entries, setEntries] = useState<MontageEntry[]>(() =>
    choices.map((choice, index) => ({ ...choice, id: index + 1 })),
  )
  const [title, setTitle] = useState(proposed)
  const [titleProblem, setTitleProblem] = useState<string>()
  const [transition, setTransition] = useState(usual)
  const [titleCard, setTitleCard] = useState(true)
  const start = useStart(onClose)
  const isReordered =
    entries.length !== choices.length || entries.some(({ id }, index) => id !== index + 1)
  const isDirty = title !== proposed || isReordered || transition !== usual || !titleCard
  const { close, question } = useDiscardQuestion(isDirty && !start.isSuccess, onClose)
  const seconds = entries.map((entry) => entry.seconds)
  const { totalSeconds } = planMontage({ seconds, transition, titleCard })
  const problem = problemOf(entries.length, totalSeconds)
  const send = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const wrong = titleRule(title)
    setTitleProblem(wrong)
    const items = entries.map(({ item }) => item)
    if (!wrong && !problem) start.mutate({ title, items, transition, titleCard })
  }
  return (
    <Dialog title="Export as one video" onClose={close} size={560} closeOnClickOutside={false}>
      <form onSubmit={send} noValidate className={column(12)}>
        <TextInput
          label="Title"
          data-autofocus
          maxLength={TITLE_MAX}
          value={title}
          error={titleProblem}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <div className={row(12, 'between', 'baseline', 'above4')}>
          <h3 className={look('smallHeading')}>{countOf(entries.length, 'clip')}</h3>
          <p
            className={`${classes.total} ${look('muted', 'display')}`}
            data-over={problem !== undefined || undefined}
            role="status"
          >
            {formatDuration(totalSeconds)} of {formatDuration(MONTAGE_SECONDS_MAX)}
          </p>
        </div>
        <MontageList entries={entries} onChange={setEntries} />
        <div className={row([8, 24], 'wrap', 'between')}>
          <InlineSelect
            label="Between clips"
            options={TRANSITIONS}
            value={transition}
            onChange={setTransition}
          />
          <Switch
            size="md"
            labelPosition="left"
            className={row(0, 'touch')}
            label="Start with a title card"
            checked={titleCard}
            onChange={(event) => setTitleCard(event.currentTarget.checked)}
          />
        </div>
        <p className={look('note')}>
          All clips get the same loudness, and a link in the description. The video stays private
          until you change that.
        </p>
        <p className={look('problem')} role="alert">
          {problem ?? (start.isError ? serverSentence(start.error) : '')}
        </p>
        {question}
        <div className={wrapped(12, 'end')}>
          <FormButtons
            submitLabel="Export"
            pendingLabel="Exporting..."
            isPending={start.isPending}
            isHeld={problem !== undefined}
            onCancel={close}
          />
        </div>
      </form>
    </Dialog>
  )
}

function problemOf(count: number, totalSeconds: number): string | undefined {
  if (count === 0) return 'Nothing is left to export.'
  if (count > MONTAGE_ITEMS_MAX) return `Leave some out: ${MONTAGE_ITEMS_MAX} clips is the most.`
  if (totalSeconds <= MONTAGE_SECONDS_MAX) return undefined
  return `Leave some out: ${MONTAGE_SECONDS_MAX / 60} minutes is the most.`
}

function useStart(onClose: () => void) {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const isInStudio = pathname === '/studio' && !('tab' in search)
  return trpc.montage.start.useMutation({
    async onSuccess(_made, { title }) {
      onClose()
      notify({
        title: 'Export started',
        message: `“${title}” is made when nothing else is waiting.`,
        ...(!isInStudio && {
          action: (
            <Button variant="default" size="sm" onClick={() => void navigate({ to: '/studio' })}>
              Open the studio
            </Button>
          ),
        }),
      })
      await utils.video.invalidate()
    },
  })
}
