import '../../kit/styles/mantine-pages.css'
import { Button, PasswordInput, Select, Switch, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { DISCORD, PROVIDER_NAME_MAX } from '#shared/providers.ts'
import type { Provider, RoleRule } from '#shared/schemas/provider.schemas.ts'
import { IconButton } from '../../kit/control/icon-button.tsx'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import { DialogForm } from '../dialog-form.tsx'
import { useSquads } from '../use-squads.ts'
import classes from './provider-dialog.module.css'

type Kind = Provider['kind']
type Values = Pick<
  Provider,
  'name' | 'issuer' | 'clientId' | 'makesAccounts' | 'takesProfile' | 'roleRules'
> & { kind: Kind; clientSecret: string; guildId: string }

const KINDS = [
  { value: 'oidc', label: 'OpenID Connect' },
  { value: 'discord', label: 'Discord' },
] satisfies { value: Kind; label: string }[]

const NOTHING: Values = {
  ...{ kind: 'oidc', name: '', issuer: '', clientId: '', clientSecret: '', guildId: '' },
  ...{ makesAccounts: false, takesProfile: false, roleRules: [] },
}

const valuesOf = (provider: Provider | undefined): Values =>
  provider ? { ...provider, clientSecret: '', guildId: provider.guildId ?? '' } : NOTHING

type ProviderDialogProps = { provider?: Provider; onClose: () => void }

/** Adds a provider, or edits one. The server asks the provider before it saves. */
export default function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const utils = trpc.useUtils()
  const [values, setValues] = useState(() => valuesOf(provider))
  const before = valuesOf(provider)
  const done = async (title: string, message?: string) => {
    await Promise.all([utils.provider.list.invalidate(), utils.signIn.ways.invalidate()])
    notify({ title, ...(message && { message }) })
    onClose()
  }
  const create = trpc.provider.create.useMutation({
    onSuccess: () =>
      done(
        `${values.name} added`,
        'Now enter the callback address, shown below the name, at the provider.',
      ),
  })
  const edit = trpc.provider.edit.useMutation({ onSuccess: () => done('Provider saved') })
  const set = <Field extends keyof Values>(field: Field, value: Values[Field]) =>
    setValues((old) => ({ ...old, [field]: value }))
  const submit = () => {
    const { kind, clientSecret, guildId, ...rest } = values
    const fields = { ...rest, guildId: guildId.trim() || null }
    if (!provider) {
      create.mutate({ kind, clientSecret, ...fields })
      return
    }
    const { name, issuer, clientId, ...behaviour } = fields
    const access = { name, issuer, clientId, ...(clientSecret && { clientSecret }) }
    edit.mutate({
      id: provider.id,
      ...behaviour,
      ...(provider.source === 'desk' && access),
    })
  }
  const isFixed = provider?.source === 'environment'
  return (
    <DialogForm
      title={provider ? `Edit ${provider.name}` : 'Add a provider'}
      submitLabel={provider ? 'Save' : 'Add'}
      pendingLabel="Checking the provider..."
      isDirty={JSON.stringify(values) !== JSON.stringify(before)}
      mutation={provider ? edit : create}
      onSubmit={submit}
      onClose={onClose}
    >
      {!provider && (
        <Select
          label="Kind"
          data={KINDS}
          value={values.kind}
          onChange={(kind) =>
            kind &&
            kind !== values.kind &&
            setValues({
              ...values,
              kind,
              ...(kind === 'discord'
                ? { issuer: DISCORD, name: values.name || 'Discord' }
                : { issuer: '' }),
            })
          }
        />
      )}
      {!isFixed && <AccessFields values={values} set={set} isNew={!provider} />}
      <BehaviourFields values={values} set={set} />
    </DialogForm>
  )
}

type FieldsProps = {
  values: Values
  set: <Field extends keyof Values>(field: Field, value: Values[Field]) => void
}

function AccessFields({ values, set, isNew }: FieldsProps & { isNew: boolean }) {
  const { kind } = values
  return (
    <>
      <TextInput
        label="Name"
        description="On the button: Continue with …"
        maxLength={PROVIDER_NAME_MAX}
        autoComplete="off"
        data-autofocus
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      {(kind === 'oidc' || values.issuer !== DISCORD) && (
        <TextInput
          label="Issuer"
          description="The address of the provider, such as https://auth.example.org/application/o/clutch/"
          inputMode="url"
          autoComplete="off"
          value={values.issuer}
          onChange={(event) => set('issuer', event.currentTarget.value)}
        />
      )}
      <TextInput
        label="Client ID"
        autoComplete="off"
        value={values.clientId}
        onChange={(event) => set('clientId', event.currentTarget.value)}
      />
      <PasswordInput
        label="Client secret"
        description={isNew ? undefined : 'Leave it empty to keep the one that is saved.'}
        autoComplete="off"
        value={values.clientSecret}
        onChange={(event) => set('clientSecret', event.currentTarget.value)}
      />
    </>
  )
}

function BehaviourFields({ values, set }: FieldsProps) {
  return (
    <>
      <Switch
        label="Creates accounts"
        description="For everybody who can sign in there, even while registration is closed or needs an invite."
        checked={values.makesAccounts}
        onChange={(event) => set('makesAccounts', event.currentTarget.checked)}
      />
      <Switch
        label="Copies name and avatar"
        description="Whenever they change there. In between, members can change them here."
        checked={values.takesProfile}
        onChange={(event) => set('takesProfile', event.currentTarget.checked)}
      />
      {values.kind === 'discord' && (
        <>
          <TextInput
            label="Members of this server only"
            description="The ID of a Discord server. Members who leave it are logged out here within a day."
            inputMode="numeric"
            autoComplete="off"
            placeholder="Anybody"
            value={values.guildId}
            onChange={(event) => set('guildId', event.currentTarget.value)}
          />
          {values.guildId.trim() !== '' && <RoleRules values={values} set={set} />}
        </>
      )}
    </>
  )
}

const GIVES = [
  { value: 'admin', label: 'Admin' },
  { value: 'uploader', label: 'Uploads without approval' },
]

/** Rights that roles of the Discord server give on this site. Members keep them only while they have the role. */
function RoleRules({ values, set }: FieldsProps) {
  const squads = useSquads()
  const gifts = [
    ...GIVES,
    ...squads.map(({ id, name }) => ({ value: `squad ${id}`, label: `Member of ${name}` })),
  ]
  const { roleRules } = values
  const change = (index: number, rule: RoleRule) => set('roleRules', roleRules.with(index, rule))
  return (
    <fieldset className={stack(12)}>
      <legend className={look('label')}>Roles</legend>
      {roleRules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id and keep their order.
        <div key={index} className={classes.rule}>
          <TextInput
            aria-label={`Role ID ${index + 1}`}
            placeholder="ID of a role"
            inputMode="numeric"
            value={rule.roleId}
            onChange={(event) => change(index, { ...rule, roleId: event.currentTarget.value })}
          />
          <Select
            className={classes.gift}
            aria-label={`What role ${index + 1} gives`}
            data={gifts}
            value={giftOf(rule)}
            onChange={(gift) => gift && change(index, ruleOf(rule.roleId, gift))}
          />
          <IconButton
            aria-label={`Remove role ${index + 1}`}
            onClick={() => set('roleRules', roleRules.toSpliced(index, 1))}
          >
            <IconX size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set('roleRules', [...roleRules, { roleId: '', gives: 'uploader' }])}
        >
          Add a role
        </Button>
      </div>
      <p className={look('note')}>
        Roles are checked at each sign-in and once a day. Members who lose a role lose what it gave.
      </p>
    </fieldset>
  )
}

const giftOf = (rule: RoleRule) => (rule.gives === 'squad' ? `squad ${rule.squadId}` : rule.gives)

function ruleOf(roleId: string, gift: string): RoleRule {
  if (gift === 'admin' || gift === 'uploader') return { roleId, gives: gift }
  return { roleId, gives: 'squad', squadId: Number(gift.replace('squad ', '')) }
}
