import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { tagsRule } from '#shared/field-rules.ts'
import { CATEGORIES, type Category, TAG_MAX, TAG_MIN, TAGS_MAX, TITLE_MAX } from '#shared/limits.ts'
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
        <Select
          label="Category"
          data={CATEGORIES}
          allowDeselect={false}
          maxDropdownHeight={340}
          checkIconPosition="right"
          leftSection={<GameDot category={values.category} />}
          renderOption={({ option }) => (
            <span className={classes.option}>
              <GameDot category={option.value} />
              {option.label}
            </span>
          )}
          value={values.category}
          onChange={(category) => category && onChange('category', category)}
        />
        <TagsInput
          name="tags"
          label="Tags"
          description={`Optional. At most ${TAGS_MAX}, each ${TAG_MIN} to ${TAG_MAX} characters.`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxTags={TAGS_MAX}
          maxLength={TAG_MAX}
          splitChars={[',']}
          value={values.tags}
          error={errors.tags ?? tagsRule(values.tags)}
          classNames={{ description: classes.below, error: classes.below }}
          onChange={(tags) => onChange('tags', separated(tags))}
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

function GameDot({ category }: { category: string }) {
  return <span className={classes.dot} data-game={category} aria-hidden="true" />
}

/** People paste 'ace, #clutch': that is two tags, and the page shows the # by itself. */
function separated(tags: string[]): string[] {
  const all = tags.flatMap((tag) => tag.split(',')).map((tag) => tag.trim().replace(/^#+/, ''))
  return [...new Set(all.filter(Boolean))]
}
