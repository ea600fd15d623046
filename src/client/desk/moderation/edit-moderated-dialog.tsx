import { stack } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Textarea, TextInput } from '@mantine/core'
import { type Category, DESCRIPTION_MAX, TAGS_MAX, TITLE_MAX } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { AskDialog, REASON_LABEL } from '../../kit/dialog/ask-dialog.tsx'
import { EditConflicts } from '../../kit/edit/edit-conflicts.tsx'
import { useEditForm } from '../../kit/edit/use-edit-form.ts'
import { GameSelect } from '../../kit/video/game-select.tsx'
import { TagsField } from '../../kit/video/tags-field.tsx'
import type { AdminActions } from './use-admin-actions.ts'

type EditModeratedDialogProps = {
  video: Video
  /** Only changes the game. */
  isMove: boolean
  actions: AdminActions
  presets: readonly string[]
  onClose: () => void
}

type Moderated = Pick<Video, 'title' | 'description' | 'category' | 'tags'>

const LABELS = { title: 'Title', description: 'Description', category: 'Category', tags: 'Tags' }
const FIELDS = Object.keys(LABELS) as (keyof Moderated)[]
const MOVE_REASONS = ['It shows another game']

/** The owner gets the reason. */
export function EditModeratedDialog(props: EditModeratedDialogProps) {
  const { video, isMove, actions, presets, onClose } = props
  const form = useEditForm<Moderated, Moderated & { category: Category }>({
    saved: Object.fromEntries(FIELDS.map((field) => [field, video[field]])) as Moderated,
    labels: LABELS,
    toValues: (fields) => ({ ...fields, category: fields.category as Category }),
    toFields: (values) => values,
  })
  const save = (reason: string) =>
    actions.editVideo({ id: video.id, ...form.edit(), reason }).catch((error) => {
      form.noteConflicts(error)
      throw error
    })
  return (
    <AskDialog
      title={isMove ? `Move "${video.title}" to another game?` : `Edit "${video.title}"`}
      confirmLabel={isMove ? 'Move' : 'Save'}
      pendingLabel={isMove ? 'Moving...' : 'Saving...'}
      reasonLabel={REASON_LABEL}
      isDirty={form.isChanged}
      presets={isMove ? MOVE_REASONS : presets}
      onConfirm={save}
      onClose={onClose}
    >
      <div className={stack(12, 'textColor')}>
        {!isMove && (
          <>
            <TextInput
              label="Title"
              data-autofocus
              autoComplete="off"
              maxLength={TITLE_MAX}
              name="title"
              {...form.getInputProps('title')}
            />
            <Textarea
              label="Description"
              rows={4}
              resize="vertical"
              maxLength={DESCRIPTION_MAX}
              name="description"
              {...form.getInputProps('description')}
            />
          </>
        )}
        <GameSelect
          value={form.values.category}
          onChange={(category) => form.setFieldValue('category', category)}
        />
        {!isMove && (
          <TagsField
            hint={`At most ${TAGS_MAX}. Enter or a comma ends a tag.`}
            value={form.values.tags}
            error={undefined}
            onChange={(tags) => form.setFieldValue('tags', tags)}
          />
        )}
        <EditConflicts form={form} />
      </div>
    </AskDialog>
  )
}
