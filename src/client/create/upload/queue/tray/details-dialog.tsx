import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { type CheckedForm, useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { type EditForm, showPlainly } from '#client/kit/edit/use-edit-form.ts'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { useSite } from '#client/platform/use-site.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import type { NamedMember, Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { PlayersField } from '../../../players-field.tsx'
import { ParticipantsField } from '../../../studio/edit/participants-field.tsx'
import { ThumbnailField } from '../../form/thumbnail-field.tsx'
import { VideoFields, type VideoFieldValues } from '../../form/video-fields.tsx'
import type { QueueItem } from '../queue-item.ts'
import { uploadQueue } from '../site-queue.ts'

type PlayersProps = { item: QueueItem; form: CheckedForm<VideoFieldValues> }

/** Sent with the upload, later saved with the video. */
function Players({ item: { videoId }, form }: PlayersProps) {
  const { participants, isAnonymous } = form.values
  const ownId = uploadQueue.memberId() ?? null
  if (videoId !== undefined) {
    return <ParticipantsField video={{ id: videoId, userId: ownId, isAnonymous }} />
  }
  const change = (members: NamedMember[]) => form.setFieldValue('participants', members)
  return (
    <PlayersField
      members={participants}
      ownId={ownId}
      isAnonymous={isAnonymous}
      onAdd={(member) => change([...participants, member])}
      onRemove={({ id }) => change(participants.filter((member) => member.id !== id))}
    />
  )
}

/** Saves while typing. */
export default function DetailsDialog({ item, onClose }: { item: QueueItem; onClose: () => void }) {
  const { id, recognised, thumbnail } = item
  const maxThumbnailBytes = useSite()?.maxThumbnailBytes ?? 0
  const form = useCheckedForm({
    initialValues: item.details,
    validate: { title: titleRule, description: descriptionRule, tags: tagsRule },
  })
  const { values } = form
  useEffect(() => {
    if (form.isDirty()) uploadQueue.changeDetails([id], () => values)
  }, [id, values, form.isDirty])
  const conflicts = conflictsOf(item, (field, theirs) =>
    form.setFieldValue(field as 'title', theirs as string),
  )
  return (
    <Dialog title="Edit details" onClose={onClose} closeOnClickOutside={false}>
      <form className={column(16)} onSubmit={form.onSubmit(onClose)} noValidate>
        <p className={look('note', 'breakWords')}>{item.name} · saved as you type</p>
        <VideoFields form={form} recognised={recognised} />
        {item.replaces === undefined && <Players item={item} form={form} />}
        <ThumbnailField
          thumbnail={thumbnail}
          maxBytes={maxThumbnailBytes}
          disabled={false}
          onChange={(picture) => uploadQueue.changeThumbnail(id, picture)}
        />
        <EditConflicts form={conflicts} />
        <div className={row(12, 'end', 'stretch')}>
          <Button type="submit">Done</Button>
        </div>
      </form>
    </Dialog>
  )
}

const LABELS: Record<string, string> = {
  title: 'Title',
  description: 'Description',
  category: 'Category',
  tags: 'Tags',
  isAnonymous: 'Upload anonymously',
  visibility: 'Visibility',
  squadId: 'Squad',
}

/** Fields also changed elsewhere. */
function conflictsOf(
  { id, conflicts }: QueueItem,
  take: (field: string, theirs: unknown) => void,
): EditForm {
  return {
    conflicts: conflicts.map(({ field, mine, theirs }) => {
      const show = (value: unknown) =>
        field === 'visibility' ? VISIBILITY_WORDS[value as Visibility].name : showPlainly(value)
      return { field, label: LABELS[field] ?? field, mine: show(mine), theirs: show(theirs) }
    }),
    resolve: (field, choice) => {
      const conflict = conflicts.find((one) => one.field === field)
      if (choice === 'theirs') take(field, conflict?.theirs)
      uploadQueue.resolveConflict(id, field)
      return { isLast: conflicts.length === 1, isToSend: false }
    },
  }
}
