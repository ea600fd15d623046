import { Button } from '@mantine/core'
import type { FormEvent } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { AdminSettings } from '#shared/schemas/desk/site.schemas.ts'
import { EditConflicts } from '../../kit/edit/edit-conflicts.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence, fieldConflicts, serverSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import { GamesPanel } from '../games/games-panel.tsx'
import { ListSkeleton } from '../list-frame.tsx'
import { MailPanel } from '../mail/mail-panel.tsx'
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
import { useSettingsForm } from './site-values.ts'

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
  const form = useSettingsForm(settings)
  const save = trpc.site.edit.useMutation({
    onSuccess: async (saved) => {
      utils.site.adminSettings.setData(undefined, saved)
      form.markSaved(saved)
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
    onError: form.noteConflicts,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(form.edit())
  }
  const props = { values: form.values, set: form.setFieldValue, settings }
  return (
    <>
      <form className={stack(24)} noValidate onSubmit={submit}>
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
        <EditConflicts form={form} />
        <div className={`${styles.foot} ${row([12, 16], 'wrap', 'ground')}`}>
          <Button type="submit" disabled={!form.isChanged || save.isPending}>
            {save.isPending ? 'Saving...' : 'Save settings'}
          </Button>
          {form.isChanged && (
            <Button variant="default" onClick={form.undo}>
              Undo changes
            </Button>
          )}
          <p className={look('errorColor')} role="alert">
            {save.error && !fieldConflicts(save.error) && serverSentence(save.error)}
          </p>
        </div>
      </form>
      <GamesPanel />
      <MailPanel />
    </>
  )
}

function Section(props: { id: string; title: string; children: React.ReactNode }) {
  return (
    <Panel id={props.id} title={props.title}>
      <div className={styles.fields}>{props.children}</div>
    </Panel>
  )
}
