import '../../kit/styles/mantine-pages.css'
import { Checkbox, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { useCategories } from '#client/platform/use-site.ts'
import type { Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import {
  DEFAULT_TEMPLATE,
  TEMPLATE_MAX,
  WEBHOOK_KINDS,
  WEBHOOK_NAME_MAX,
  type WebhookKind,
} from '#shared/webhooks.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { trpc } from '../../trpc.ts'
import { DialogForm } from '../dialog-form.tsx'
import { useDeskAction } from '../use-desk-action.ts'
import { useSquads } from '../use-squads.ts'
import { SecretField } from './secret-field.tsx'
import { EVENTS } from './webhook-words.ts'

type Values = Pick<
  Webhook,
  'format' | 'name' | 'kinds' | 'template' | 'sendsFile' | 'editsPosts' | 'deletesPosts'
> & { url: string; category: string | null; squadId: number | null; channel: string | null }

const FORMATS = [
  { value: 'discord', label: 'Discord: posts new videos' },
  { value: 'standard', label: 'Another program: tells it of events' },
] satisfies { value: Values['format']; label: string }[]

const NOTHING: Values = {
  ...{ format: 'discord', name: '', url: '', kinds: ['video.published'] },
  ...{ category: null, squadId: null, channel: null, template: DEFAULT_TEMPLATE },
  ...{ sendsFile: false, editsPosts: true, deletesPosts: true },
}

function valuesOf(webhook: Webhook | undefined): Values {
  if (!webhook) return NOTHING
  const { squad, address, format } = webhook
  // The address of Discord is a secret, which the server does not send.
  return { ...webhook, squadId: squad?.id ?? null, url: format === 'discord' ? '' : address }
}

type WebhookDialogProps = { webhook?: Webhook; onClose: () => void }

/** Adds a webhook, whose secret is shown once, or edits one. */
export default function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const before = valuesOf(webhook)
  const [values, setValues] = useState(before)
  const [secret, setSecret] = useState<string>()
  const action = useDeskAction('webhook', 'overview')
  const create = trpc.webhook.create.useMutation(action({ done: `${values.name} added` }))
  const edit = trpc.webhook.edit.useMutation(action({ done: 'Webhook saved' }))
  const set: Set = (field, value) => setValues((old) => ({ ...old, [field]: value }))
  const submit = () => {
    const { format, name, url, kinds, ...chat } = values
    if (webhook) {
      const address = url === '' ? {} : { url }
      const fields = format === 'discord' ? chatFields(chat) : { kinds }
      edit.mutate({ id: webhook.id, name, ...address, ...fields }, { onSuccess: onClose })
      return
    }
    const wish =
      format === 'discord'
        ? { format, name, url, ...chatFields(chat) }
        : { format, name, url, kinds }
    create.mutate(wish, {
      onSuccess: (made) => (made.secret === null ? onClose() : setSecret(made.secret)),
    })
  }
  if (secret !== undefined) {
    return (
      <Dialog title={`Secret of ${values.name}`} isSpaced onClose={onClose}>
        <SecretField secret={secret} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <DialogForm
      title={webhook ? `Edit ${webhook.name}` : 'Add a webhook'}
      submitLabel={webhook ? 'Save' : 'Add'}
      pendingLabel="Saving..."
      isDirty={JSON.stringify(values) !== JSON.stringify(before)}
      mutation={webhook ? edit : create}
      onSubmit={submit}
      onClose={onClose}
    >
      {!webhook && (
        <Select
          label="For"
          data={FORMATS}
          value={values.format}
          onChange={(format) => format && set('format', format)}
        />
      )}
      <TextInput
        label="Name"
        description="Shown here only."
        maxLength={WEBHOOK_NAME_MAX}
        autoComplete="off"
        data-autofocus
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <AddressField values={values} set={set} isNew={!webhook} />
      {values.format === 'discord' ? (
        <ChatFields values={values} set={set} />
      ) : (
        <EventFields values={values} set={set} />
      )}
    </DialogForm>
  )
}

function chatFields(values: Omit<Values, 'format' | 'name' | 'url' | 'kinds'>) {
  const { category, squadId, channel, template, sendsFile, editsPosts, deletesPosts } = values
  return { category, squadId, channel, template, sendsFile, editsPosts, deletesPosts }
}

type Set = <Field extends keyof Values>(field: Field, value: Values[Field]) => void
type FieldsProps = { values: Values; set: Set }

function AddressField({ values, set, isNew }: FieldsProps & { isNew: boolean }) {
  const isChat = values.format === 'discord'
  const description = isChat
    ? `From the settings of the channel in Discord: Integrations, Webhooks.${isNew ? '' : ' Leave it empty to keep the one that is saved.'}`
    : 'Messages are sent to it as POST requests.'
  return (
    <TextInput
      label="Address"
      description={description}
      placeholder={isChat ? 'https://discord.com/api/webhooks/…' : 'https://'}
      inputMode="url"
      autoComplete="off"
      value={values.url}
      onChange={(event) => set('url', event.currentTarget.value)}
    />
  )
}

function EventFields({ values, set }: FieldsProps) {
  const { kinds } = values
  const toggle = (kind: WebhookKind, isWanted: boolean) =>
    set(
      'kinds',
      WEBHOOK_KINDS.filter((one) => (one === kind ? isWanted : kinds.includes(one))),
    )
  return (
    <fieldset className={stack(8)}>
      <legend className={look('label')}>Events</legend>
      {WEBHOOK_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          label={EVENTS[kind]}
          checked={kinds.includes(kind)}
          onChange={(event) => toggle(kind, event.currentTarget.checked)}
        />
      ))}
      <p className={look('note')}>
        Videos, clips and comments are told once everybody can see them. Nothing is told of videos
        for members or squads, unlisted and private ones.
      </p>
    </fieldset>
  )
}

const WHOLE_SITE = 'site'
const ONE_CHANNEL = 'channel'

function ChatFields({ values, set }: FieldsProps) {
  const categories = useCategories()
  const squads = useSquads()
  const { category, squadId, channel } = values
  const chosen =
    channel !== null
      ? ONE_CHANNEL
      : squadId !== null
        ? `squad ${squadId}`
        : category !== null
          ? `category ${category}`
          : WHOLE_SITE
  const choose = (place: string) => {
    const [kind] = place.split(' ', 1)
    const rest = place.slice((kind?.length ?? 0) + 1)
    set('category', kind === 'category' ? rest : null)
    set('squadId', kind === 'squad' ? Number(rest) : null)
    set('channel', kind === ONE_CHANNEL ? '' : null)
  }
  return (
    <>
      <Select
        label="Posts videos of"
        description={
          squadId === null
            ? 'As soon as everybody can watch them and the chat can play them.'
            : "Public videos of the squad's members. Videos that only the squad can see are never posted."
        }
        data={[
          { value: WHOLE_SITE, label: 'The whole site' },
          { value: ONE_CHANNEL, label: 'One channel' },
          {
            group: 'Categories',
            items: categories.map((name) => ({ value: `category ${name}`, label: name })),
          },
          {
            group: 'Squads',
            items: squads.map(({ id, name }) => ({ value: `squad ${id}`, label: name })),
          },
        ]}
        value={chosen}
        onChange={(place) => place && choose(place)}
      />
      {channel !== null && (
        <TextInput
          label="Username of the channel"
          description="Videos that it publishes anonymously are never posted."
          autoComplete="off"
          value={channel}
          onChange={(event) => set('channel', event.currentTarget.value)}
        />
      )}
      <Textarea
        label="Text"
        description="{title}, {name} and {game} are replaced, and {link}, which the chat plays."
        autosize
        minRows={2}
        maxRows={6}
        maxLength={TEMPLATE_MAX}
        value={values.template}
        onChange={(event) => set('template', event.currentTarget.value)}
      />
      <Switch
        label="Attach the video"
        description="If its file for chats has at most 10 MiB. Longer videos are posted as a link."
        checked={values.sendsFile}
        onChange={(event) => set('sendsFile', event.currentTarget.checked)}
      />
      <Switch
        label="Edit the message"
        description="When the title of the video changes."
        checked={values.editsPosts}
        onChange={(event) => set('editsPosts', event.currentTarget.checked)}
      />
      <Switch
        label="Delete the message"
        description="When the video is deleted, or not everybody can watch it any more."
        checked={values.deletesPosts}
        onChange={(event) => set('deletesPosts', event.currentTarget.checked)}
      />
    </>
  )
}
