import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import type { AdminSettings } from '#shared/schemas/desk/site.schemas.ts'
import { EditConflicts } from '../../kit/edit/edit-conflicts.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence, fieldConflicts, serverSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { ListSkeleton } from '../list-frame.tsx'
import { LogoField } from '../site/logo-field.tsx'
import { NameFields } from '../site/look-fields.tsx'
import { IntakeFields, MemberFields, SizeFields } from '../site/site-fields.tsx'
import { type FieldsProps, useSettingsForm } from '../site/site-values.ts'
import styles from './setup.module.css'
import { StepActions, type StepProps } from './step-actions.tsx'

const FIELDS: Record<'look' | 'members' | 'uploads', (props: FieldsProps) => ReactNode> = {
  look: (props) => (
    <>
      <NameFields {...props} />
      <LogoField logoUrl={props.settings.logoUrl} />
    </>
  ),
  members: MemberFields,
  uploads: (props) => (
    <>
      <IntakeFields {...props} />
      <SizeFields {...props} />
    </>
  ),
}

type SettingsStepProps = StepProps & { step: keyof typeof FIELDS }

export function SettingsStep(props: SettingsStepProps) {
  const settings = trpc.site.adminSettings.useQuery()
  if (settings.isPending) return <ListSkeleton />
  if (!settings.data) {
    return (
      <LoadError
        error={settings.error}
        text={`The settings could not be loaded: ${errorSentence(settings.error)}`}
        onRetry={() => void settings.refetch()}
      />
    )
  }
  return <StepForm {...props} settings={settings.data} />
}

function StepForm({
  step,
  settings,
  onDone,
  onSkip,
}: SettingsStepProps & { settings: AdminSettings }) {
  const utils = trpc.useUtils()
  const form = useSettingsForm(settings)
  const { isChanged } = form
  const edit = trpc.site.edit.useMutation()
  const save = useMutation({
    mutationFn: async () => {
      if (isChanged) {
        utils.site.adminSettings.setData(undefined, await edit.mutateAsync(form.edit()))
        await utils.site.settings.invalidate()
      }
      await onDone()
    },
    onError: form.noteConflicts,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const Fields = FIELDS[step]
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <div className={stack(16)}>
        <Fields values={form.values} set={form.setFieldValue} settings={settings} />
      </div>
      <EditConflicts form={form} />
      <StepActions onSkip={onSkip} isBusy={save.isPending}>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Saving...' : isChanged ? 'Save and continue' : 'Keep as it is'}
        </Button>
      </StepActions>
      <p className={look('errorColor', 'hiddenWhenEmpty')} role="alert">
        {edit.error && !fieldConflicts(edit.error) && serverSentence(edit.error)}
      </p>
    </form>
  )
}
