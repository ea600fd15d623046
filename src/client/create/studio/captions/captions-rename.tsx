import '#client/kit/styles/mantine-pages.css'
import { Button, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { column, look, row, stack } from '#client/kit/layout/layout.ts'
import { fieldConflicts, serverSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { CAPTIONS_LABEL_MAX } from '#shared/limits.ts'
import type { Captions } from '#shared/schemas/caption.schemas.ts'
import classes from './captions-field.module.css'
import { LANGUAGES, languageName } from './languages.ts'

type Names = Pick<Captions, 'label' | 'language'>

const LABELS = { label: 'Name', language: 'Language' }

type CaptionsRenameProps = { videoId: number; track: Captions; onDone: () => void }

function beginHere(input: HTMLInputElement | null): void {
  input?.select()
}

/** No `<form>`, because it is inside another one. */
export function CaptionsRename({ videoId, track, onDone }: CaptionsRenameProps) {
  const utils = trpc.useUtils()
  const form = useEditForm<Names>({
    saved: { label: track.label, language: track.language },
    labels: LABELS,
    toValues: (names) => names,
    toFields: ({ label, language }) => ({
      label: label.trim() || languageName(language),
      language,
    }),
  })
  const { label, language } = form.values
  const edit = trpc.caption.edit.useMutation({
    onSuccess: async () => {
      await utils.video.playback.invalidate({ id: videoId })
      onDone()
    },
    onError: form.noteConflicts,
  })
  const save = () => edit.mutate({ id: track.id, ...form.edit() })
  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      // Keeps the dialog open; the inputs' attribute tells Mantine.
      event.preventDefault()
      event.stopPropagation()
      onDone()
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      save()
    }
  }
  const listId = `languages-of-${track.id}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere.
    <div
      role="group"
      aria-label={`Rename ${track.label}`}
      className={`${stack([12, 16], 'fullWidth', 'pad16', 'framed')} ${classes.form}`}
      onKeyDown={pressKey}
    >
      <TextInput
        className={column(4, 'shrink')}
        label="Name"
        ref={beginHere}
        data-mantine-stop-propagation="true"
        value={label}
        maxLength={CAPTIONS_LABEL_MAX}
        placeholder={languageName(language)}
        autoComplete="off"
        onChange={(event) => form.setFieldValue('label', event.currentTarget.value)}
      />
      <TextInput
        className={column(4, 'shrink')}
        label="Language"
        list={listId}
        data-mantine-stop-propagation="true"
        value={language}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => form.setFieldValue('language', event.currentTarget.value)}
      />
      <datalist id={listId}>
        {LANGUAGES.map((tag) => (
          <option key={tag} value={tag} label={languageName(tag)} />
        ))}
      </datalist>
      {form.conflicts.length > 0 && (
        <div className={classes.wide}>
          <EditConflicts form={form} onSend={save} />
        </div>
      )}
      <p className={look('fullWidth', 'across', 'problem')} role="alert">
        {edit.error &&
          !fieldConflicts(edit.error) &&
          (serverSentence(edit.error) || 'The captions could not be renamed.')}
      </p>
      <div className={`${classes.buttons} ${row(4)}`}>
        <Button variant="subtle" disabled={edit.isPending} onClick={onDone}>
          Cancel
        </Button>
        <Button variant="default" disabled={edit.isPending} onClick={save}>
          {edit.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </div>
  )
}
