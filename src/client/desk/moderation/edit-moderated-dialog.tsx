import '#client/kit/styles/mantine-pages.css'
import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Category, DESCRIPTION_MAX, TAGS_MAX, TITLE_MAX } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { AskDialog, REASON_LABEL } from '../../kit/dialog/ask-dialog.tsx'
import { GameSelect } from '../../kit/video/game-select.tsx'
import { TagsField } from '../../kit/video/tags-field.tsx'
import styles from './moderation.module.css'
import type { AdminActions } from './use-admin-actions.ts'

type EditModeratedDialogProps = {
  video: Video
  /** Only the game is asked for. */
  isMove: boolean
  actions: AdminActions
  presets: readonly string[]
  onClose: () => void
}

const MOVE_REASONS = ['It shows another game']

/** Changes what is said about a member's video, with a reason that its owner gets. */
export function EditModeratedDialog(props: EditModeratedDialogProps) {
  const { video, isMove, actions, presets, onClose } = props
  const [title, setTitle] = useState(video.title)
  const [description, setDescription] = useState(video.description)
  const [category, setCategory] = useState(video.category as Category)
  const [tags, setTags] = useState(video.tags)
  const change = isMove ? { category } : { title, description, category, tags }
  const isDirty =
    title !== video.title ||
    description !== video.description ||
    category !== video.category ||
    tags.join() !== video.tags.join()
  return (
    <AskDialog
      title={isMove ? `Move "${video.title}" to another game?` : `Edit "${video.title}"`}
      confirmLabel={isMove ? 'Move' : 'Save'}
      pendingLabel={isMove ? 'Moving...' : 'Saving...'}
      reasonLabel={REASON_LABEL}
      isDirty={isDirty}
      presets={isMove ? MOVE_REASONS : presets}
      onConfirm={(reason) => actions.editVideo({ id: video.id, ...change, reason })}
      onClose={onClose}
    >
      <div className={styles.fields}>
        {!isMove && (
          <>
            <TextInput
              label="Title"
              data-autofocus
              autoComplete="off"
              maxLength={TITLE_MAX}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
            <Textarea
              label="Description"
              rows={4}
              resize="vertical"
              maxLength={DESCRIPTION_MAX}
              value={description}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          </>
        )}
        <GameSelect value={category} onChange={setCategory} />
        {!isMove && (
          <TagsField
            hint={`At most ${TAGS_MAX}. Enter or a comma ends a tag.`}
            value={tags}
            error={undefined}
            onChange={setTags}
          />
        )}
      </div>
    </AskDialog>
  )
}
