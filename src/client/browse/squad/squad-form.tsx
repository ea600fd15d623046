import '#client/kit/styles/mantine-pages.css'
import { Button, Radio, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { DialogFoot } from '#client/kit/dialog/dialog-foot.tsx'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { SquadEmblem, SquadTag } from '#client/kit/squad/squad-emblem.tsx'
import { fieldConflicts, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { squadDescriptionRule, squadNameRule, squadTagRule } from '#shared/field-rules.ts'
import { SQUAD_NAME_MAX } from '#shared/limits.ts'
import type { EditSquad, Squad } from '#shared/schemas/squad.schemas.ts'
import {
  type SquadEmblem as Emblem,
  SQUAD_COLOURS,
  SQUAD_EMBLEMS,
  SQUAD_JOININGS,
  type SquadColour,
  type SquadJoining,
} from '#shared/squads.ts'
import classes from './squad-form.module.css'
import { COLOUR_WORDS, EMBLEM_WORDS, JOINING_WORDS } from './squad-words.ts'

const TAG_MAX = 6

const LABELS = {
  name: 'Name',
  tag: 'Tag',
  description: 'Description',
  colour: { label: 'Colour', show: (colour: SquadColour) => COLOUR_WORDS[colour] },
  emblem: { label: 'Emblem', show: (emblem: Emblem) => EMBLEM_WORDS[emblem] },
  joining: { label: 'Who can join', show: (joining: SquadJoining) => JOINING_WORDS[joining].name },
}

type Fields = Pick<Squad, keyof NonNullable<EditSquad['was']>>

const NEW: Fields = {
  name: '',
  tag: '',
  description: '',
  colour: 'violet',
  emblem: 'shield',
  joining: 'request',
}

type SquadFormProps = {
  /** The form creates a squad if this is omitted. */
  squad?: Squad
  onClose: () => void
  onSaved?: (squad: Squad) => void
}

export default function SquadForm({ squad, onClose, onSaved }: SquadFormProps) {
  const utils = trpc.useUtils()
  const form = useEditForm<Fields>({
    saved: squad ? pickFields(squad) : NEW,
    labels: LABELS,
    validate: { name: squadNameRule, tag: squadTagRule, description: squadDescriptionRule },
  })
  const outcome = (title: string) => ({
    onSuccess: async (saved: Squad) => {
      await Promise.all([utils.squad.invalidate(), utils.video.invalidate()])
      notify({ title, message: saved.name })
      onClose()
      onSaved?.(saved)
    },
  })
  const create = trpc.squad.create.useMutation(outcome('Squad created'))
  const edit = trpc.squad.edit.useMutation({
    ...outcome('Squad saved'),
    onError: form.noteConflicts,
  })
  const isPending = create.isPending || edit.isPending
  const error = create.error ?? edit.error
  const { name, tag, colour, emblem } = form.values
  return (
    <Dialog onClose={onClose} title={squad ? 'Edit squad' : 'New squad'} size={560}>
      <form
        className={stack(16)}
        noValidate
        onSubmit={form.onSubmit((values) =>
          squad ? edit.mutate({ id: squad.id, ...form.edit() }) : create.mutate(values),
        )}
      >
        <div
          className={`${row(12, 'pad12', 'card')} ${classes.preview}`}
          data-squad-colour={colour}
        >
          <SquadEmblem squad={{ colour, emblem }} size={56} />
          <span className={`${look('oneLine', 'heading', 'display')}`}>{name || 'Your squad'}</span>
          <SquadTag squad={{ colour, tag: tag.toUpperCase() || 'TAG' }} />
        </div>
        <div className={classes.names}>
          <TextInput
            name="name"
            label="Name"
            withAsterisk
            maxLength={SQUAD_NAME_MAX}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput
            name="tag"
            label="Tag"
            withAsterisk
            maxLength={TAG_MAX}
            autoComplete="off"
            autoCapitalize="characters"
            {...form.getInputProps('tag')}
          />
        </div>
        <p className={`${look('note')} ${classes.hint}`}>
          The tag has 2 to 6 letters or digits. @{tag || 'TAG'} in a comment or post notifies the
          squad.
        </p>
        <Choices legend="Emblem" columns={6}>
          {SQUAD_EMBLEMS.map((one) => (
            <Choice
              key={one}
              group="emblem"
              label={EMBLEM_WORDS[one]}
              isChosen={one === emblem}
              onChoose={() => form.setFieldValue('emblem', one)}
            >
              <SquadEmblem squad={{ colour, emblem: one }} size={36} />
            </Choice>
          ))}
        </Choices>
        <Choices legend="Colour" columns={5}>
          {SQUAD_COLOURS.map((one) => (
            <Choice
              key={one}
              group="colour"
              label={COLOUR_WORDS[one]}
              isChosen={one === colour}
              onChoose={() => form.setFieldValue('colour', one)}
            >
              <span className={classes.colour} data-squad-colour={one} />
            </Choice>
          ))}
        </Choices>
        <Radio.Group
          label="Who can join"
          value={form.values.joining}
          onChange={(joining) => form.setFieldValue('joining', joining as SquadJoining)}
        >
          <div className={stack(8, 'above8')}>
            {SQUAD_JOININGS.map((one) => (
              <Radio
                key={one}
                value={one}
                label={JOINING_WORDS[one].name}
                description={JOINING_WORDS[one].text}
              />
            ))}
          </div>
        </Radio.Group>
        <Textarea
          name="description"
          label="Description"
          rows={3}
          resize="vertical"
          {...form.getInputProps('description')}
        />
        <EditConflicts form={form} />
        <p className={look('problem')} role="alert">
          {error &&
            !fieldConflicts(error) &&
            (serverSentence(error) || 'The squad could not be saved.')}
        </p>
        <DialogFoot>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={isPending}>
            {submitLabel({ isNew: !squad, isPending })}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

function pickFields(squad: Squad): Fields {
  const names = Object.keys(LABELS) as (keyof Fields)[]
  return Object.fromEntries(names.map((name) => [name, squad[name]])) as Fields
}

function submitLabel({ isNew, isPending }: { isNew: boolean; isPending: boolean }): string {
  if (isNew) return isPending ? 'Creating...' : 'Create squad'
  return isPending ? 'Saving...' : 'Save Changes'
}

const CHOICE_PX = 48

type ChoicesProps = { legend: string; columns: number; children: ReactNode }

function Choices({ legend, columns, children }: ChoicesProps) {
  return (
    <fieldset className={classes.choices}>
      <legend className={`${look('strong')} ${classes.legend}`}>{legend}</legend>
      <div className={classes.row} style={{ maxWidth: columns * CHOICE_PX }}>
        {children}
      </div>
    </fieldset>
  )
}

type ChoiceProps = {
  group: string
  label: string
  isChosen: boolean
  onChoose: () => void
  children: ReactNode
}

/** Renders a radio button that looks like the option it selects. */
function Choice({ group, label, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className={classes.choice}>
      <input
        type="radio"
        name={group}
        className={classes.radio}
        aria-label={label}
        checked={isChosen}
        onChange={onChoose}
      />
      {children}
    </label>
  )
}
