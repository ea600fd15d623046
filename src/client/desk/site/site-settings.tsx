import type { AdminSettings } from '#shared/schemas/desk/site.schemas.ts'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import { GamesPanel } from '../games/games-panel.tsx'
import { ListSkeleton } from '../list-frame.tsx'
import { MailPanel } from '../mail/mail-panel.tsx'
import { UpdateState } from '../release/update-state.tsx'
import { FormSection, SettingsForm } from '../settings-form.tsx'
import { LogoField } from './logo-field.tsx'
import { NameFields, RulesField } from './look-fields.tsx'
import {
  CommentFields,
  HomeFields,
  MemberFields,
  NetworkFields,
  UpdateFields,
  UploadFields,
} from './site-fields.tsx'
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
  const props = { values: form.values, set: form.setFieldValue, settings }
  return (
    <>
      <SettingsForm form={form} save={save} onSave={() => save.mutate(form.edit())}>
        <FormSection id="look" title="Name and look">
          <NameFields {...props} />
          <RulesField {...props} />
          <LogoField logoUrl={settings.logoUrl} />
        </FormSection>
        <FormSection id="home" title="Home page">
          <HomeFields {...props} />
        </FormSection>
        <FormSection id="members" title="Members">
          <MemberFields {...props} />
        </FormSection>
        <FormSection id="uploads" title="Uploads">
          <UploadFields {...props} />
        </FormSection>
        <FormSection id="comments" title="Comments">
          <CommentFields {...props} />
        </FormSection>
        <FormSection id="updates" title="Updates">
          <UpdateFields {...props} />
          <UpdateState />
        </FormSection>
        <FormSection id="network" title="Network">
          <NetworkFields {...props} />
        </FormSection>
      </SettingsForm>
      <GamesPanel />
      <MailPanel />
    </>
  )
}
