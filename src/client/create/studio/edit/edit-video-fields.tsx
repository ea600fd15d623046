import '#client/kit/styles/mantine-pages.css'
import { Switch, Textarea, TextInput } from '@mantine/core'
import type { CheckedForm } from '#client/kit/control/use-checked-form.ts'
import { GameSelect } from '#client/kit/video/game-select.tsx'
import { TagsField } from '#client/kit/video/tags-field.tsx'
import { VideoLevelField } from '#client/kit/visibility/visibility-field.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { DESCRIPTION_MAX, TAGS_MAX, TITLE_MAX } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './edit-video-dialog.module.css'
import type { EditVideoValues } from './edit-video-values.ts'

const TAGS_HINT = `At most ${TAGS_MAX}. Enter or a comma ends a tag.`

type Form = CheckedForm<EditVideoValues>

export function DetailsFields({ form }: { form: Form }) {
  return (
    <>
      <TextInput
        name="title"
        label="Title"
        required
        autoComplete="off"
        data-autofocus
        {...counted(form.values.title, TITLE_MAX)}
        {...form.getInputProps('title')}
      />
      <Textarea
        name="description"
        label="Description"
        rows={7}
        resize="vertical"
        {...counted(form.values.description, DESCRIPTION_MAX)}
        {...form.getInputProps('description')}
      />
      <GameSelect
        value={form.values.category}
        onChange={(category) => form.setFieldValue('category', category)}
      />
      <TagsField
        hint={TAGS_HINT}
        value={form.values.tags}
        error={form.errors.tags}
        onChange={(tags) => form.setFieldValue('tags', tags)}
      />
    </>
  )
}

export function LevelField({ form, squad }: { form: Form; squad: Video['squad'] }) {
  return (
    <VideoLevelField
      squad={squad}
      value={{ visibility: form.values.visibility, squadId: form.values.squadId }}
      onChange={({ visibility, squadId }) => {
        form.setFieldValue('visibility', visibility)
        form.setFieldValue('squadId', squadId)
      }}
    />
  )
}

export function WatchSwitches({ form }: { form: Form }) {
  const site = useSite()
  return (
    <div>
      <FieldSwitch
        form={form}
        name="isAnonymous"
        label="Anonymous Upload"
        description="Your username won't be attached to this video"
      />
      {site?.allowsDownloads && (
        <FieldSwitch
          form={form}
          name="allowsDownload"
          label="Allow downloads"
          description="Members who can watch it can download it. You always can"
        />
      )}
    </div>
  )
}

export function AdvancedSwitches({ form }: { form: Form }) {
  return (
    <div>
      <FieldSwitch
        form={form}
        name="commentsOff"
        label="Turn comments off"
        description="Existing comments stay; no one can write new ones"
      />
      <FieldSwitch
        form={form}
        name="allowsReactions"
        label="Show reactions"
        description="Members react at a second of the video, and later viewers see it"
      />
      <FieldSwitch
        form={form}
        name="allowsClips"
        label="Allow clips by others"
        description="Existing clips stay. You can always make and delete clips"
      />
      {form.values.allowsClips && (
        <FieldSwitch
          form={form}
          name="allowsClipVideos"
          label="Allow clips in other people's videos"
          description="Members can save a clip as a video, or add it to a montage"
        />
      )}
      <FieldSwitch
        form={form}
        name="discordEmbed"
        label="Show in Discord"
        description="Links in Discord play the video. Otherwise they show a picture only"
      />
    </div>
  )
}

type FieldSwitchProps = {
  form: Form
  name: keyof EditVideoValues
  label: string
  description: string
}

function FieldSwitch({ form, name, label, description }: FieldSwitchProps) {
  return (
    <Switch
      size="md"
      className={classes.switch}
      label={label}
      description={description}
      {...form.getInputProps(name, { type: 'checkbox' })}
    />
  )
}

/** Counts characters; too many are an error, not cut. */
function counted(value: string, max: number) {
  const length = value.trim().length
  return {
    description: `${length} / ${max}`,
    descriptionProps: { 'data-over': length > max || undefined },
    classNames: { root: classes.input, description: classes.counter },
  }
}
