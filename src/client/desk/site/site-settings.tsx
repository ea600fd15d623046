import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import type { AdminSettings } from '#shared/schemas/desk/site.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence, serverSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { ListSkeleton } from '../list-frame.tsx'
import { UpdateState } from '../release/update-state.tsx'
import { LogoField } from './logo-field.tsx'
import { NameFields, RulesField } from './look-fields.tsx'
import {
  CommentFields,
  HomeFields,
  MemberFields,
  UpdateFields,
  UploadFields,
} from './site-fields.tsx'
import styles from './site-settings.module.css'
import { type SetValue, toChange, toValues } from './site-values.ts'

/** All that admins decide about the site. */
export function SiteSettingsForm() {
  const settings = trpc.site.adminSettings.useQuery()
  if (settings.isPending) return <ListSkeleton />
  if (!settings.data) {
    return (
      <LoadError
        text={`The settings could not be loaded: ${errorSentence(settings.error)}`}
        error={settings.error}
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
        utils.release.invalidate(),
        utils.setup.invalidate(),
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
          <NameFields {...props} />
          <RulesField {...props} />
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
        <Section id="updates" title="Updates">
          <UpdateFields {...props} />
          <UpdateState />
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
