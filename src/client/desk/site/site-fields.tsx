import '../../kit/styles/mantine-pages.css'
import '@mantine/core/styles/ColorSwatch.layer.css'
import '@mantine/core/styles/ColorPicker.layer.css'
import '@mantine/core/styles/ColorInput.layer.css'
import { Button, ColorInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { NOTICE_MAX, RULES_MAX, SITE_NAME_MAX, TAGLINE_MAX } from '#shared/admin-limits.ts'
import { accentOn, isColour } from '#shared/colour.ts'
import { formatBytes } from '#shared/format.ts'
import type { AdminSettings } from '#shared/schemas/site.schemas.ts'
import { VisibilityField } from '../../kit/visibility/visibility-field.tsx'
import { serverSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import styles from './site-settings.module.css'
import type { SettingsValues, SetValue } from './site-values.ts'

type FieldsProps = { values: SettingsValues; set: SetValue; settings: AdminSettings }

export function LookFields({ values, set }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        maxLength={SITE_NAME_MAX}
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <TextInput
        label="Tagline"
        description="Under the name on the login page"
        maxLength={TAGLINE_MAX}
        value={values.tagline}
        onChange={(event) => set('tagline', event.currentTarget.value)}
      />
      <AccentField accent={values.accent} onChange={(accent) => set('accent', accent)} />
      <Textarea
        label="Rules"
        description="A page of their own. A line that begins with # is a heading, one with - an item of a list. Empty for none."
        rows={8}
        resize="vertical"
        maxLength={RULES_MAX}
        value={values.rules}
        onChange={(event) => set('rules', event.currentTarget.value)}
      />
    </>
  )
}

type AccentFieldProps = { accent: string | null; onChange: (accent: string | null) => void }

function AccentField({ accent, onChange }: AccentFieldProps) {
  const shown = accent && isColour(accent) ? accent : undefined
  return (
    <div>
      <ColorInput
        label="Accent colour"
        className={styles.colour}
        eyeDropperButtonProps={{ 'aria-label': 'Pick a colour from the screen' }}
        value={accent ?? ''}
        onChange={(colour) => onChange(colour || null)}
      />
      <div className={styles.accent}>
        {shown &&
          (['dark', 'light'] as const).map((scheme) => {
            const { colour, ink } = accentOn(scheme, shown)
            return (
              <span
                key={scheme}
                className={styles.sample}
                style={{ background: colour, color: ink }}
              >
                {scheme === 'dark' ? 'On dark' : 'On light'}
              </span>
            )
          })}
        {accent === null ? (
          <span>Default</span>
        ) : (
          <Button size="sm" variant="subtle" onClick={() => onChange(null)}>
            Reset to the default
          </Button>
        )}
      </div>
    </div>
  )
}

export function HomeFields({ values, set }: FieldsProps) {
  return (
    <>
      <Textarea
        label="Notice"
        description="At the top of the home page, until each visitor closes it. Empty for none."
        rows={3}
        resize="vertical"
        maxLength={NOTICE_MAX}
        value={values.notice}
        onChange={(event) => set('notice', event.currentTarget.value)}
      />
      <PinnedField />
    </>
  )
}

function PinnedField() {
  const utils = trpc.useUtils()
  const pinned = trpc.explore.pinned.useQuery()
  const unpin = trpc.moderation.pinVideo.useMutation({
    onSuccess: () => utils.explore.pinned.invalidate(),
    onError: (error) =>
      notify({ tone: 'error', title: 'Not unpinned', message: serverSentence(error) }),
  })
  const video = pinned.data?.video
  return (
    <div>
      <p>Pinned video</p>
      {video ? (
        <div className={styles.pair}>
          <Link to="/video/$id" params={{ id: String(video.id) }}>
            {video.title}
          </Link>
          <Button
            variant="default"
            disabled={unpin.isPending}
            onClick={() => unpin.mutate({ id: null })}
          >
            Unpin
          </Button>
        </div>
      ) : (
        <p className={classes.quiet}>No video is pinned. Pin one from the menu on its card.</p>
      )}
    </div>
  )
}

export function MemberFields({ values, set }: FieldsProps) {
  return (
    <>
      <Select
        label="Registration"
        description="Invite links are made under Members."
        data={[
          { value: 'open', label: 'Open to everybody' },
          { value: 'invite', label: 'With an invite link only' },
          { value: 'closed', label: 'Closed' },
        ]}
        allowDeselect={false}
        checkIconPosition="right"
        value={values.registration}
        onChange={(registration) => registration && set('registration', registration)}
      />
      <Select
        label="Who may see the site"
        description="With members only, visitors get the login page and nothing else."
        data={[
          { value: 'everybody', label: 'Everybody' },
          { value: 'members', label: 'Members only' },
        ]}
        allowDeselect={false}
        checkIconPosition="right"
        value={values.audience}
        onChange={(audience) => audience && set('audience', audience)}
      />
    </>
  )
}

export function UploadFields({ values, set, settings }: FieldsProps) {
  return (
    <>
      <Switch
        label="New uploads need approval"
        description="They wait under Approvals. An admin's own do not."
        checked={values.uploadsNeedApproval}
        onChange={(event) => set('uploadsNeedApproval', event.currentTarget.checked)}
      />
      <VisibilityField
        label="Visibility of new videos"
        value={values.defaultVisibility}
        onChange={(visibility) => set('defaultVisibility', visibility)}
      />
      <Switch
        label="Members may download videos"
        description="Those whose owners allow it. Owners and admins always may."
        checked={values.allowsDownloads}
        onChange={(event) => set('allowsDownloads', event.currentTarget.checked)}
      />
      <Switch
        label="New uploads are anonymous at first"
        checked={values.anonymousByDefault}
        onChange={(event) => set('anonymousByDefault', event.currentTarget.checked)}
      />
      <Switch
        label="Show new videos in Discord"
        checked={values.discordEmbedByDefault}
        onChange={(event) => set('discordEmbedByDefault', event.currentTarget.checked)}
      />
      <div className={styles.pair}>
        <TextInput
          label="Largest video, in MB"
          description={`The server allows ${formatBytes(settings.maxVideoBytesAllowed)}.`}
          inputMode="decimal"
          value={values.maxVideoMegabytes}
          onChange={(event) => set('maxVideoMegabytes', event.currentTarget.value)}
        />
        <TextInput
          label="Largest picture, in MB"
          description={`The server allows ${formatBytes(settings.maxThumbnailBytesAllowed)}.`}
          inputMode="decimal"
          value={values.maxThumbnailMegabytes}
          onChange={(event) => set('maxThumbnailMegabytes', event.currentTarget.value)}
        />
      </div>
      <Textarea
        label="More categories"
        description="One a line, after the eight there are. Videos of one that you remove move to Other."
        rows={4}
        resize="vertical"
        value={values.extraCategories}
        onChange={(event) => set('extraCategories', event.currentTarget.value)}
      />
    </>
  )
}

export function CommentFields({ values, set }: FieldsProps) {
  return (
    <>
      <Textarea
        label="Words that hold a comment back"
        description="One word or phrase a line, whatever its case and accents. Such comments wait under Comments."
        rows={5}
        resize="vertical"
        value={values.heldWords}
        onChange={(event) => set('heldWords', event.currentTarget.value)}
      />
      <Switch
        label="Hold back links by new members"
        checked={values.holdLinks}
        onChange={(event) => set('holdLinks', event.currentTarget.checked)}
      />
      <div className={styles.pair}>
        <TextInput
          label="Days that a member is new"
          inputMode="numeric"
          value={values.newMemberDays}
          onChange={(event) => set('newMemberDays', event.currentTarget.value)}
        />
        <TextInput
          label="Or with fewer public comments than"
          inputMode="numeric"
          value={values.newMemberComments}
          onChange={(event) => set('newMemberComments', event.currentTarget.value)}
        />
      </div>
    </>
  )
}
