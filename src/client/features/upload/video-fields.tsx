import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { tagsRule } from '#shared/field-rules.ts'
import { type Category, TAG_MAX, TAG_MIN, TAGS_MAX, TITLE_MAX } from '#shared/limits.ts'
import { GameSelect } from '../../components/game-select.tsx'
import { TagsField } from '../../components/tags-field.tsx'
import classes from './video-fields.module.css'

export type VideoFieldValues = {
  title: string
  description: string
  category: Category
  tags: string[]
  isAnonymous: boolean
}

type VideoFieldsProps = {
  values: VideoFieldValues
  errors: { [Field in keyof VideoFieldValues]?: string }
  onChange: <Field extends keyof VideoFieldValues>(
    field: Field,
    value: VideoFieldValues[Field],
  ) => void
}

/** What the uploader says about the video. */
export function VideoFields({ values, errors, onChange }: VideoFieldsProps) {
  return (
    <>
      <TextInput
        name="title"
        label="Title"
        withAsterisk
        maxLength={TITLE_MAX}
        autoComplete="off"
        value={values.title}
        error={errors.title}
        classNames={{ error: classes.below }}
        onChange={(event) => onChange('title', event.currentTarget.value)}
      />
      <Textarea
        name="description"
        label="Description"
        rows={4}
        resize="vertical"
        value={values.description}
        error={errors.description}
        classNames={{ error: classes.below }}
        onChange={(event) => onChange('description', event.currentTarget.value)}
      />
      <div className={classes.pair}>
        <GameSelect
          value={values.category}
          onChange={(category) => onChange('category', category)}
        />
        <TagsField
          hint={`Optional. At most ${TAGS_MAX}, each ${TAG_MIN} to ${TAG_MAX} characters.`}
          value={values.tags}
          error={errors.tags ?? tagsRule(values.tags)}
          onChange={(tags) => onChange('tags', tags)}
        />
      </div>
      <Checkbox
        name="isAnonymous"
        label="Upload anonymously"
        description="Your username won't be attached to this video"
        checked={values.isAnonymous}
        onChange={(event) => onChange('isAnonymous', event.currentTarget.checked)}
      />
    </>
  )
}
