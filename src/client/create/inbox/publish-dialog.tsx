import { type ReactNode, useState } from 'react'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { DialogFoot } from '#client/kit/dialog/dialog-foot.tsx'
import { FormButtons } from '#client/kit/dialog/form-buttons.tsx'
import { useDiscardQuestion } from '#client/kit/dialog/use-discard-question.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { GameSelect } from '#client/kit/video/game-select.tsx'
import { type ChosenLevel, VideoLevelField } from '#client/kit/visibility/visibility-field.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import type { Category } from '#shared/limits.ts'
import type { InboxItem } from '#shared/schemas/inbox.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { VideoFields } from '../upload/form/video-fields.tsx'

const AS_PROPOSED = { name: 'Keep as it is', text: 'By the rules, or as you usually publish' }

type PublishDialogProps = { items: InboxItem[]; onDone: () => void; onClose: () => void }

export default function PublishDialog({ items, ...props }: PublishDialogProps) {
  const [first] = items
  return items.length === 1 && first ? (
    <PublishOne item={first} {...props} />
  ) : (
    <PublishMany items={items} {...props} />
  )
}

type Done = Pick<PublishDialogProps, 'onDone' | 'onClose'>

function usePublish({ onDone, onClose }: Done) {
  const utils = trpc.useUtils()
  return trpc.inbox.publish.useMutation({
    onSuccess: async ({ queued }) => {
      onDone()
      onClose()
      notify({
        title: `${countOf(queued, 'recording')} will be published`,
        message: 'You can leave this page.',
      })
      await utils.inbox.invalidate()
    },
  })
}

function PublishOne({ item, ...done }: Done & { item: InboxItem }) {
  const publish = usePublish(done)
  const { id, title, description, category, tags, visibility, squadId } = item
  const form = useCheckedForm({
    initialValues: {
      ...{ title, description, category, tags, visibility, squadId },
      isAnonymous: item.isAnonymous ?? false,
      participants: [],
    },
    validate: { title: titleRule, description: descriptionRule, tags: tagsRule },
  })
  return (
    <PublishFrame
      title="Publish recording"
      isDirty={form.isDirty()}
      publish={publish}
      onClose={done.onClose}
      onSubmit={form.onSubmit(({ participants: _, title: chosen, ...details }) =>
        publish.mutate({ items: [{ id, title: chosen }], ...details }),
      )}
    >
      <VideoFields form={form} recognised={undefined} />
    </PublishFrame>
  )
}

function PublishMany({ items, ...done }: Done & { items: InboxItem[] }) {
  const publish = usePublish(done)
  const [category, setCategory] = useState<Category | null>(null)
  const [level, setLevel] = useState<ChosenLevel | null>(null)
  return (
    <PublishFrame
      title={`Publish ${countOf(items.length, 'recording')}`}
      isDirty={category !== null || level !== null}
      publish={publish}
      onClose={done.onClose}
      onSubmit={(event) => {
        event.preventDefault()
        publish.mutate({
          items: items.map(({ id }) => ({ id })),
          category: category ?? undefined,
          ...level,
        })
      }}
    >
      <p className={look('muted')}>Titles stay as they are. You can edit the videos later.</p>
      <GameSelect canKeep value={category} onChange={setCategory} />
      <VideoLevelField unset={AS_PROPOSED} value={level} onChange={setLevel} />
    </PublishFrame>
  )
}

type PublishFrameProps = {
  title: string
  isDirty: boolean
  publish: { isPending: boolean; error: unknown }
  onSubmit: React.FormEventHandler<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

function PublishFrame(props: PublishFrameProps) {
  const { title, isDirty, publish, onSubmit, onClose, children } = props
  const { close, question } = useDiscardQuestion(isDirty, onClose)
  return (
    <Dialog title={title} closeOnClickOutside={false} onClose={close}>
      <form className={stack(16)} noValidate onSubmit={onSubmit}>
        {children}
        <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
          {publish.error ? serverSentence(publish.error) : undefined}
        </p>
        {question}
        <DialogFoot>
          <FormButtons
            submitLabel="Publish"
            pendingLabel="Publishing..."
            isPending={publish.isPending}
            onCancel={close}
          />
        </DialogFoot>
      </form>
    </Dialog>
  )
}
