import '../../kit/styles/mantine-pages.css'
import { Select, Switch, TextInput } from '@mantine/core'
import type { SignInSettings as Settings } from '#shared/schemas/sign-in.schemas.ts'
import { type FieldLabels, useEditForm } from '../../kit/edit/use-edit-form.ts'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import { ListSkeleton } from '../list-frame.tsx'
import { optionsOf } from '../options-of.ts'
import { FormSection, SettingsForm } from '../settings-form.tsx'
import { IdentityProviders } from './identity-providers.tsx'

const SECOND_FACTOR_WORDS = {
  nobody: 'Optional for everybody',
  admins: 'Required for admins',
  everybody: 'Required for everybody',
} as const
const PASSWORD_WORDS = { everybody: 'Everybody', admins: 'Admins only' } as const

const LABELS: FieldLabels<Settings> = {
  passwordMin: 'Minimum password length',
  passwordsFor: {
    label: 'Who can sign in with a password',
    show: (value) => PASSWORD_WORDS[value],
  },
  providersFirst: 'Show identity providers first',
  secondFactorFor: { label: 'Two-step sign-in', show: (value) => SECOND_FACTOR_WORDS[value] },
  secondFactorFrom: { label: 'Required from', show: (date) => date?.slice(0, 10) ?? 'At once' },
  needsHttps: 'Require https',
}

export function SignInSettings() {
  const settings = trpc.signIn.settings.useQuery()
  const providers = trpc.provider.list.useQuery()
  // Waits for both, because providers that load later would move the form.
  if (settings.isPending || providers.isPending) return <ListSkeleton />
  if (!settings.data) {
    return (
      <LoadError
        text={`The settings could not be loaded: ${errorSentence(settings.error)}`}
        error={settings.error}
        onRetry={() => void settings.refetch()}
      />
    )
  }
  return (
    <div>
      <IdentityProviders />
      <Form settings={settings.data} />
    </div>
  )
}

function useSignInForm(settings: Settings) {
  return useEditForm({
    saved: settings,
    labels: LABELS,
    toValues: (saved: Settings) => ({
      ...saved,
      passwordMin: String(saved.passwordMin),
      secondFactorFrom: saved.secondFactorFrom?.slice(0, 10) ?? '',
    }),
    toFields: (values, base) => ({
      ...values,
      passwordMin: Number(values.passwordMin),
      secondFactorFrom: dateOf(values.secondFactorFrom, base.secondFactorFrom),
    }),
  })
}

/** Returns midnight UTC of the day, or the saved time if the day is unchanged. */
function dateOf(day: string, saved: string | null): string | null {
  if (day === '') return null
  return saved?.startsWith(day) ? saved : `${day}T00:00:00.000Z`
}

type FieldsProps = Pick<ReturnType<typeof useSignInForm>, 'values'> & {
  set: ReturnType<typeof useSignInForm>['setFieldValue']
}

function Form({ settings }: { settings: Settings }) {
  const utils = trpc.useUtils()
  const form = useSignInForm(settings)
  const save = trpc.signIn.edit.useMutation({
    onSuccess: async (saved) => {
      utils.signIn.settings.setData(undefined, saved)
      form.markSaved(saved)
      notify({ title: 'Settings saved' })
      await utils.signIn.ways.invalidate()
    },
    onError: form.noteConflicts,
  })
  const props = { values: form.values, set: form.setFieldValue }
  return (
    <SettingsForm form={form} save={save} onSave={() => save.mutate(form.edit())}>
      <FormSection id="sign-in-page" title="Sign-in page">
        <PageFields {...props} />
      </FormSection>
      <FormSection id="passwords" title="Passwords">
        <PasswordFields {...props} />
      </FormSection>
      <FormSection id="second-factor" title="Two-step sign-in">
        <SecondFactorFields {...props} />
      </FormSection>
    </SettingsForm>
  )
}

function PageFields({ values, set }: FieldsProps) {
  return (
    <>
      <Switch
        label="Show identity providers first"
        description="Their buttons are above the password form."
        checked={values.providersFirst}
        onChange={(event) => set('providersFirst', event.currentTarget.checked)}
      />
      <Switch
        label="Require https"
        description="Refuses sign-ins at addresses without encryption, such as those of the local network."
        checked={values.needsHttps}
        onChange={(event) => set('needsHttps', event.currentTarget.checked)}
      />
    </>
  )
}

function PasswordFields({ values, set }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Minimum password length"
        description="In characters, at least 6. Applies to new passwords; existing ones keep working."
        inputMode="numeric"
        value={values.passwordMin}
        onChange={(event) => set('passwordMin', event.currentTarget.value)}
      />
      <Select
        label="Who can sign in with a password"
        description="If admins only, members use an identity provider or a passkey."
        data={optionsOf(PASSWORD_WORDS)}
        value={values.passwordsFor}
        onChange={(passwordsFor) => passwordsFor && set('passwordsFor', passwordsFor)}
      />
    </>
  )
}

function SecondFactorFields({ values, set }: FieldsProps) {
  return (
    <>
      <Select
        label="Who needs it"
        description="A passkey, or a code from an authenticator app after the password."
        data={optionsOf(SECOND_FACTOR_WORDS)}
        value={values.secondFactorFor}
        onChange={(secondFactorFor) => secondFactorFor && set('secondFactorFor', secondFactorFor)}
      />
      {values.secondFactorFor !== 'nobody' && (
        <TextInput
          label="Required from"
          description="Members without it set it up at their first sign-in after this day. Leave empty to require it now."
          type="date"
          value={values.secondFactorFrom}
          onChange={(event) => set('secondFactorFrom', event.currentTarget.value)}
        />
      )}
    </>
  )
}
