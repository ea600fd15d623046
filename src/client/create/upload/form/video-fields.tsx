import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import type { CheckedForm } from '#client/kit/control/use-checked-form.ts'
import { GameSelect } from '#client/kit/video/game-select.tsx'
import { TagsField } from '#client/kit/video/tags-field.tsx'
import { VideoLevelField } from '#client/kit/visibility/visibility-field.tsx'
import { useDefaultVisibility } from '#client/platform/use-default-visibility.ts'
import { tagsRule } from '#shared/field-rules.ts'
import { type Category, TAG_MAX, TAG_MIN, TAGS_MAX, TITLE_MAX } from '#shared/limits.ts'
import type { RecordingName } from '#shared/recording-name.ts'
import type { NamedMember, Visibility } from '#shared/schemas/visibility.schemas.ts'
import { suggestionOf } from './suggestion.ts'
import classes from './video-fields.module.css'

export type VideoFieldValues = {
  title: string
  description: string
  category: Category
  tags: string[]
  isAnonymous: boolean
  /** Null for the default. */
  visibility: Visibility | null
  squadId: number | null
  participants: NamedMember[]
}

type VideoFieldsProps = {
  form: CheckedForm<VideoFieldValues>
  /** From the file's name. */
  recognised: RecordingName | undefined
}

export function VideoFields({ form, recognised }: VideoFieldsProps) {
  const usual = useDefaultVisibility()
  const suggestion = suggestionOf(recognised, form.values)
  return (
    <>
      <TextInput
        name="title"
        label="Title"
        withAsterisk
        maxLength={TITLE_MAX}
        autoComplete="off"
        {...form.getInputProps('title')}
        classNames={{ error: classes.below }}
      />
      {suggestion && (
        <Button
          variant="default"
          size="sm"
          className={classes.suggestion}
          onClick={() => {
            form.setValues(suggestion)
            // The button disappears.
            form.getInputNode('title')?.focus()
          }}
        >
          Use “{suggestion.title}”
        </Button>
      )}
      <Textarea
        name="description"
        label="Description"
        rows={4}
        resize="vertical"
        {...form.getInputProps('description')}
        classNames={{ error: classes.below }}
      />
      <div className={classes.pair}>
        <GameSelect
          value={form.values.category}
          onChange={(category) => form.setFieldValue('category', category)}
        />
        <TagsField
          hint={`Optional. At most ${TAGS_MAX}, each ${TAG_MIN} to ${TAG_MAX} characters.`}
          value={form.values.tags}
          error={form.errors.tags ?? tagsRule(form.values.tags)}
          onChange={(tags) => form.setFieldValue('tags', tags)}
        />
      </div>
      <VideoLevelField
        value={{
          visibility: form.values.visibility ?? usual,
          squadId: form.values.squadId,
        }}
        onChange={({ visibility, squadId }) => {
          form.setFieldValue('visibility', visibility)
          form.setFieldValue('squadId', squadId)
        }}
      />
      <Checkbox
        name="isAnonymous"
        label="Upload anonymously"
        description="Your username won't be attached to this video"
        {...form.getInputProps('isAnonymous', { type: 'checkbox' })}
      />
    </>
  )
}
