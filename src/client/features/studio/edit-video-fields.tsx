import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Switch, Textarea, TextInput } from '@mantine/core'
import { type Category, DESCRIPTION_MAX, TAGS_MAX, TITLE_MAX } from '#shared/limits.ts'
import { GameSelect } from '../../components/game-select.tsx'
import { TagsField } from '../../components/tags-field.tsx'
import classes from './edit-video-dialog.module.css'

export type EditVideoValues = {
  title: string
  description: string
  category: Category
  tags: string[]
  isAnonymous: boolean
  discordEmbed: boolean
  commentsOff: boolean
}

type FieldsProps = {
  values: EditVideoValues
  errors: { [Field in keyof EditVideoValues]?: string }
  onChange: <Field extends keyof EditVideoValues>(
    field: Field,
    value: EditVideoValues[Field],
  ) => void
}

const TAGS_HINT = `At most ${TAGS_MAX}. Enter or a comma ends a tag.`

/** What is said about the video. */
export function EditVideoFields({ values, errors, onChange }: FieldsProps) {
  return (
    <>
      <TextInput
        name="title"
        label="Title"
        required
        autoComplete="off"
        data-autofocus
        {...counted(values.title, TITLE_MAX)}
        value={values.title}
        error={errors.title}
        onChange={(event) => onChange('title', event.currentTarget.value)}
      />
      <Textarea
        name="description"
        label="Description"
        rows={7}
        resize="vertical"
        {...counted(values.description, DESCRIPTION_MAX)}
        value={values.description}
        error={errors.description}
        onChange={(event) => onChange('description', event.currentTarget.value)}
      />
      <GameSelect value={values.category} onChange={(category) => onChange('category', category)} />
      <TagsField
        hint={TAGS_HINT}
        value={values.tags}
        error={errors.tags}
        onChange={(tags) => onChange('tags', tags)}
      />
    </>
  )
}

/** Who is named with it, and how it travels. */
export function EditVideoSwitches({ values, onChange }: Pick<FieldsProps, 'values' | 'onChange'>) {
  return (
    <div>
      <Switch
        size="md"
        className={classes.switch}
        label="Anonymous Upload"
        description="Your username won't be attached to this video"
        checked={values.isAnonymous}
        onChange={(event) => onChange('isAnonymous', event.currentTarget.checked)}
      />
      <Switch
        size="md"
        className={classes.switch}
        label="Show in Discord"
        description="A link in Discord plays the video there; without this it shows a picture only"
        checked={values.discordEmbed}
        onChange={(event) => onChange('discordEmbed', event.currentTarget.checked)}
      />
      <Switch
        size="md"
        className={classes.switch}
        label="Turn comments off"
        description="Those that are there stay; nobody can write new ones"
        checked={values.commentsOff}
        onChange={(event) => onChange('commentsOff', event.currentTarget.checked)}
      />
    </div>
  )
}

/** A field that says how much of its room is used; too much can be typed, and is complained about. */
function counted(value: string, max: number) {
  const length = value.trim().length
  return {
    description: `${length} / ${max}`,
    descriptionProps: { 'data-over': length > max || undefined },
    classNames: { root: classes.input, description: classes.counter },
  }
}
