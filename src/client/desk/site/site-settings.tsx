import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import type { AdminSettings, EditSiteSettings } from '#shared/schemas/site.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence, serverSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { ListSkeleton } from '../list-frame.tsx'
import { LogoField } from './logo-field.tsx'
import {
  CommentFields,
  HomeFields,
  LookFields,
  MemberFields,
  UploadFields,
} from './site-fields.tsx'
import styles from './site-settings.module.css'

export type SettingsValues = ReturnType<typeof toValues>
export type SetValue = <Name extends keyof SettingsValues>(
  name: Name,
  value: SettingsValues[Name],
) => void

/** All that admins decide about the site. */
export function SiteSettingsForm() {
  const settings = trpc.site.adminSettings.useQuery()
  if (settings.isPending) return <ListSkeleton />
  if (!settings.data) {
    return (
      <LoadError
        text={`The settings could not be loaded: ${errorSentence(settings.error)}`}
        onRetry={() => void settings.refetch()}
      />
    )
  }
  return <Form settings={settings.data} />
}

function Form({ settings }: { settings: AdminSettings }) {
  const utils = trpc.useUtils()
  const [values, setValues] = useState(() => toValues(settings))
  const save = trpc.site.edit.useMutation({
    onSuccess: async (saved) => {
      utils.site.adminSettings.setData(undefined, saved)
      setValues(toValues(saved))
      notify({ title: 'Settings saved' })
      await Promise.all([
        utils.site.settings.invalidate(),
        utils.site.rules.invalidate(),
        utils.explore.invalidate(),
        utils.video.invalidate(),
      ])
    },
  })
  const set: SetValue = (name, value) => setValues((old) => ({ ...old, [name]: value }))
  const change = toChange(values, settings)
  const remaining = change.extraCategories ?? settings.extraCategories
  const removed = settings.extraCategories.filter((name) => !remaining.includes(name))
  const [asked, setAsked] = useState<string[]>()
  const isChanged = Object.keys(change).length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (removed.length > 0) setAsked(removed)
    else save.mutate(change)
  }
  const props = { values, set, settings }
  return (
    <>
      <form className={styles.form} noValidate onSubmit={submit}>
        <Section id="look" title="Name and look">
          <LookFields {...props} />
          <LogoField logoUrl={settings.logoUrl} />
        </Section>
        <Section id="home" title="Home page">
          <HomeFields {...props} />
        </Section>
        <Section id="members" title="Members">
          <MemberFields {...props} />
        </Section>
        <Section id="uploads" title="Uploads">
          <UploadFields {...props} />
        </Section>
        <Section id="comments" title="Comments">
          <CommentFields {...props} />
        </Section>
        <div className={styles.foot}>
          <Button type="submit" disabled={!isChanged || save.isPending}>
            {save.isPending ? 'Saving...' : 'Save settings'}
          </Button>
          {isChanged && (
            <Button variant="default" onClick={() => setValues(toValues(settings))}>
              Undo changes
            </Button>
          )}
          <p className={classes.wrong} role="alert">
            {save.error && serverSentence(save.error)}
          </p>
        </div>
      </form>
      {asked && (
        <AskDialog
          title={`Remove ${asked.join(', ')}?`}
          confirmLabel="Save settings"
          pendingLabel="Saving..."
          isDanger
          onConfirm={() => save.mutateAsync(change)}
          onClose={() => setAsked(undefined)}
        >
          {`Videos in ${asked.length === 1 ? 'it' : 'these'} move to ${DEFAULT_CATEGORY}, and do not come back when the name is added again.`}
        </AskDialog>
      )}
    </>
  )
}

function Section(props: { id: string; title: string; children: React.ReactNode }) {
  return (
    <section id={props.id} className={classes.panel} aria-labelledby={`${props.id}-title`}>
      <h2 id={`${props.id}-title`} className={classes.panelTitle}>
        {props.title}
      </h2>
      <div className={styles.fields}>{props.children}</div>
    </section>
  )
}

const MB = 1024 ** 2
const inMegabytes = (bytes: number) => String(Math.round((bytes / MB) * 100) / 100)
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The settings as the form's fields hold them: sizes in MB, lists a line each. */
function toValues(settings: AdminSettings) {
  return {
    name: settings.name,
    tagline: settings.tagline,
    accent: settings.accent,
    rules: settings.rules,
    notice: settings.notice,
    registration: settings.registration,
    uploadsNeedApproval: settings.uploadsNeedApproval,
    extraCategories: settings.extraCategories.join('\n'),
    anonymousByDefault: settings.anonymousByDefault,
    discordEmbedByDefault: settings.discordEmbedByDefault,
    maxVideoMegabytes: inMegabytes(settings.maxVideoBytes),
    maxThumbnailMegabytes: inMegabytes(settings.maxThumbnailBytes),
    heldWords: settings.heldWords.join('\n'),
    holdLinks: settings.holdLinks,
    newMemberDays: String(settings.newMemberDays),
    newMemberComments: String(settings.newMemberComments),
  }
}

/** Only what differs from the settings as they are. */
function toChange(values: SettingsValues, settings: AdminSettings): EditSiteSettings {
  const before = toValues(settings)
  const changed = (name: keyof SettingsValues) => values[name] !== before[name]
  const plain = [
    'name',
    'tagline',
    'accent',
    'rules',
    'notice',
    'registration',
    'uploadsNeedApproval',
    'anonymousByDefault',
    'discordEmbedByDefault',
    'holdLinks',
  ] as const
  const limit = (text: string, allowed: number) => {
    const bytes = Math.round(Number(text.replace(',', '.')) * MB)
    return text.trim() === '' || bytes === allowed ? null : bytes
  }
  return {
    ...Object.fromEntries(plain.filter(changed).map((name) => [name, values[name]])),
    ...(changed('extraCategories') && { extraCategories: lines(values.extraCategories) }),
    ...(changed('heldWords') && { heldWords: lines(values.heldWords) }),
    ...(changed('newMemberDays') && { newMemberDays: Number(values.newMemberDays) }),
    ...(changed('newMemberComments') && { newMemberComments: Number(values.newMemberComments) }),
    ...(changed('maxVideoMegabytes') && {
      maxVideoBytes: limit(values.maxVideoMegabytes, settings.maxVideoBytesAllowed),
    }),
    ...(changed('maxThumbnailMegabytes') && {
      maxThumbnailBytes: limit(values.maxThumbnailMegabytes, settings.maxThumbnailBytesAllowed),
    }),
  }
}
