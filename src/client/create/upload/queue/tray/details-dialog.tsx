import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { type CheckedForm, useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'
import { PlayersField } from '../../../players-field.tsx'
import { ParticipantsField } from '../../../studio/edit/participants-field.tsx'
import { ThumbnailField } from '../../form/thumbnail-field.tsx'
import { VideoFields, type VideoFieldValues } from '../../form/video-fields.tsx'
import type { QueueItem } from '../queue-item.ts'
import { uploadQueue } from '../site-queue.ts'
import classes from './details-dialog.module.css'

type PlayersProps = { item: QueueItem; form: CheckedForm<VideoFieldValues> }

/** Who played along: sent with the upload, and saved with the video once there is one. */
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

/** What is said of one file, saved as it is typed, while the file travels on. */
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
  return (
    <Dialog title="Edit details" onClose={onClose} closeOnClickOutside={false}>
      <form className={classes.form} onSubmit={form.onSubmit(onClose)} noValidate>
        <p className={classes.lead}>{item.name} · saved as you type</p>
        <VideoFields form={form} recognised={recognised} />
        {item.replaces === undefined && <Players item={item} form={form} />}
        <ThumbnailField
          thumbnail={thumbnail}
          maxBytes={maxThumbnailBytes}
          disabled={false}
          onChange={(picture) => uploadQueue.changeThumbnail(id, picture)}
        />
        <div className={classes.actions}>
          <Button type="submit">Done</Button>
        </div>
      </form>
    </Dialog>
  )
}
