import '../../kit/styles/mantine-pages.css'
import { Button, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { look, wrapped } from '#client/kit/layout/layout.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { NOTICE_MAX, WELCOME_MAX } from '#shared/admin-limits.ts'
import { formatBytes } from '#shared/text/format.ts'
import { VisibilityField } from '../../kit/visibility/visibility-field.tsx'
import { trpc } from '../../trpc.ts'
import { optionsOf } from '../options-of.ts'
import styles from './site-settings.module.css'
import { AUDIENCE_WORDS, type FieldsProps, REGISTRATION_WORDS } from './site-values.ts'

export function HomeFields({ values, set }: FieldsProps) {
  return (
    <>
      <TextInput
        label="What this place is"
        description="One sentence that visitors read at the top of the home page. Empty for none."
        maxLength={WELCOME_MAX}
        value={values.welcome}
        onChange={(event) => set('welcome', event.currentTarget.value)}
      />
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
    onError: notifyFailure('Not unpinned'),
  })
  const video = pinned.data?.video
  return (
    <div>
      <p className={look('strong', 'below4')}>Pinned video</p>
      {video ? (
        <div className={`${styles.pair} ${wrapped(16)}`}>
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
        <p className={look('muted')}>No video is pinned. Pin one from the menu on its card.</p>
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
        data={optionsOf(REGISTRATION_WORDS)}
        value={values.registration}
        onChange={(registration) => registration && set('registration', registration)}
      />
      <Select
        label="Who may see the site"
        description="With members only, visitors get the sign-in page and nothing else."
        data={optionsOf(AUDIENCE_WORDS)}
        value={values.audience}
        onChange={(audience) => audience && set('audience', audience)}
      />
    </>
  )
}

export function IntakeFields({ values, set }: FieldsProps) {
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
    </>
  )
}

export function SizeFields({ values, set, settings }: FieldsProps) {
  return (
    <div className={`${styles.pair} ${wrapped(16)}`}>
      <TextInput
        label="Largest video, in MB"
        description={`The server allows ${formatBytes(settings.maxVideoBytesAllowed)}.`}
        inputMode="decimal"
        value={values.maxVideoBytes}
        onChange={(event) => set('maxVideoBytes', event.currentTarget.value)}
      />
      <TextInput
        label="Largest picture, in MB"
        description={`The server allows ${formatBytes(settings.maxThumbnailBytesAllowed)}.`}
        inputMode="decimal"
        value={values.maxThumbnailBytes}
        onChange={(event) => set('maxThumbnailBytes', event.currentTarget.value)}
      />
    </div>
  )
}

export function UploadFields(props: FieldsProps) {
  const { values, set } = props
  return (
    <>
      <IntakeFields {...props} />
      <Switch
        label="Members may download videos"
        description="Those whose owners allow it. Owners and admins always may."
        checked={values.allowsDownloads}
        onChange={(event) => set('allowsDownloads', event.currentTarget.checked)}
      />
      <Switch
        label="Members may upload from an address"
        description="The site fetches the file, and so shows its own network address to the other server. Only public hosts with https; admins also from listed hosts on the local network."
        checked={values.fetchesAddresses}
        onChange={(event) => set('fetchesAddresses', event.currentTarget.checked)}
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
      <SizeFields {...props} />
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
      <div className={`${styles.pair} ${wrapped(16)}`}>
        <TextInput
          label="Days for which a member is new"
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

export function UpdateFields({ values, set }: FieldsProps) {
  return (
    <>
      <Switch
        label="Tell admins about newer versions"
        description="Once a day the site asks the address below, and says nothing about itself."
        checked={values.asksForUpdates}
        onChange={(event) => set('asksForUpdates', event.currentTarget.checked)}
      />
      <TextInput
        label="Address to ask"
        description="It answers the newest version as JSON, as the page of the latest release of a repository does."
        type="url"
        placeholder="https://"
        value={values.updateAddress}
        onChange={(event) => set('updateAddress', event.currentTarget.value)}
      />
    </>
  )
}

export function NetworkFields({ values, set, settings }: FieldsProps) {
  const { localHostsOfEnvironment: fixed } = settings
  return (
    <>
      <Textarea
        label="Hosts on the local network"
        description="One host per line, such as auth.lan or 10.0.0.5:9000. The site may connect to these, also without https. Link-local and other special addresses are always refused."
        rows={4}
        resize="vertical"
        value={values.localHosts}
        onChange={(event) => set('localHosts', event.currentTarget.value)}
      />
      {fixed.length > 0 && (
        <p className={look('muted')}>The server's variable LOCAL_HOSTS adds {fixed.join(', ')}.</p>
      )}
    </>
  )
}
