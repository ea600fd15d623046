import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { EditConflicts } from '../kit/edit/edit-conflicts.tsx'
import type { EditForm } from '../kit/edit/use-edit-form.ts'
import { fieldConflicts, serverSentence } from '../platform/error-message.ts'
import classes from './settings-form.module.css'

type SettingsFormProps = {
  form: EditForm & { isChanged: boolean; undo: () => void }
  save: { isPending: boolean; error: unknown }
  onSave: () => void
  children: ReactNode
}

/** Sections of settings above a bar that saves them. */
export function SettingsForm({ form, save, onSave, children }: SettingsFormProps) {
  return (
    <form
      className={stack(24)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      {children}
      <EditConflicts form={form} />
      <div className={`${classes.foot} ${row([12, 16], 'wrap', 'ground')}`}>
        <Button type="submit" disabled={!form.isChanged || save.isPending}>
          {save.isPending ? 'Saving...' : 'Save settings'}
        </Button>
        {form.isChanged && (
          <Button variant="default" onClick={form.undo}>
            Undo changes
          </Button>
        )}
        <p className={look('errorColor')} role="alert">
          {save.error && !fieldConflicts(save.error) ? serverSentence(save.error) : undefined}
        </p>
      </div>
    </form>
  )
}

export function FormSection(props: { id: string; title: string; children: ReactNode }) {
  return (
    <Panel id={props.id} title={props.title} className={classes.section}>
      <div className={classes.fields}>{props.children}</div>
    </Panel>
  )
}
