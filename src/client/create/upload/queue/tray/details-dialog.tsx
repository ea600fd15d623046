import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import { ThumbnailField } from '../../form/thumbnail-field.tsx'
import { VideoFields } from '../../form/video-fields.tsx'
import type { QueueItem } from '../queue-item.ts'
import { uploadQueue } from '../site-queue.ts'
import classes from './details-dialog.module.css'

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
  const isTaken =
    recognised?.title === values.title &&
    (recognised.category ?? values.category) === values.category
  return (
    <Dialog title="Edit details" onClose={onClose} closeOnClickOutside={false}>
      <form className={classes.form} onSubmit={form.onSubmit(onClose)} noValidate>
        <p className={classes.lead}>{item.name} · saved as you type</p>
        {recognised && !isTaken && (
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              form.setFieldValue('title', recognised.title)
              if (recognised.category) form.setFieldValue('category', recognised.category)
            }}
          >
            Use “{recognised.title}”
          </Button>
        )}
        <VideoFields form={form} />
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
