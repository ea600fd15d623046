import type { AdminSettings, EditSiteSettings } from '#shared/schemas/desk/site.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { type FieldLabels, useEditForm } from '../../kit/edit/use-edit-form.ts'

type SiteFields = Omit<
  Pick<AdminSettings, keyof NonNullable<EditSiteSettings['was']>>,
  'backupHour' | 'backupsKept' | 'extraCategories'
>
/** Sizes are in MB, lists have one item per line. */
type SettingsValues = ReturnType<typeof toValues>
export type SettingsForm = ReturnType<typeof useSettingsForm>
export type FieldsProps = {
  values: SettingsValues
  set: SettingsForm['setFieldValue']
  settings: AdminSettings
}

const MB = 1024 ** 2
const inMegabytes = (bytes: number) => String(Math.round((bytes / MB) * 100) / 100)
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
const asLines = { show: (list: string[]) => list.join('\n') }

export const REGISTRATION_WORDS = {
  open: 'Open to everybody',
  invite: 'With an invite link only',
  closed: 'Closed',
} as const
export const AUDIENCE_WORDS = { everybody: 'Everybody', members: 'Members only' } as const

const LABELS: FieldLabels<SiteFields> = {
  name: 'Name',
  tagline: 'Tagline',
  welcome: 'What this place is',
  accent: { label: 'Accent colour', show: (colour) => colour ?? 'Default' },
  rules: 'Rules',
  notice: 'Notice',
  registration: { label: 'Registration', show: (value) => REGISTRATION_WORDS[value] },
  audience: { label: 'Who may see the site', show: (value) => AUDIENCE_WORDS[value] },
  defaultVisibility: {
    label: 'Visibility of new videos',
    show: (level) => VISIBILITY_WORDS[level].name,
  },
  allowsDownloads: 'Members may download videos',
  fetchesAddresses: 'Members may upload from an address',
  uploadsNeedApproval: 'New uploads need approval',
  anonymousByDefault: 'New uploads are anonymous at first',
  discordEmbedByDefault: 'Show new videos in Discord',
  maxVideoBytes: { label: 'Largest video', show: formatBytes },
  maxThumbnailBytes: { label: 'Largest picture', show: formatBytes },
  heldWords: { label: 'Words that hold a comment back', ...asLines },
  holdLinks: 'Hold back links by new members',
  asksForUpdates: 'Tell admins about newer versions',
  updateAddress: 'Address to ask',
  localHosts: { label: 'Hosts on the local network', ...asLines },
  newMemberDays: 'Days for which a member is new',
  newMemberComments: 'Or with fewer public comments than',
}
const FIELDS = Object.keys(LABELS) as (keyof SiteFields)[]

const toFields = (settings: AdminSettings) =>
  Object.fromEntries(FIELDS.map((field) => [field, settings[field]])) as SiteFields

const toValues = (fields: SiteFields) => ({
  ...fields,
  heldWords: fields.heldWords.join('\n'),
  localHosts: fields.localHosts.join('\n'),
  maxVideoBytes: inMegabytes(fields.maxVideoBytes),
  maxThumbnailBytes: inMegabytes(fields.maxThumbnailBytes),
  newMemberDays: String(fields.newMemberDays),
  newMemberComments: String(fields.newMemberComments),
})

/** An empty size means the server's limit. */
export function useSettingsForm(settings: AdminSettings) {
  const limit = (text: string, allowed: number) =>
    text.trim() === '' ? allowed : Math.round(Number(text.replace(',', '.')) * MB)
  const form = useEditForm<SiteFields, SettingsValues>({
    saved: toFields(settings),
    labels: LABELS,
    toValues: toValues,
    toFields: (values) => ({
      ...values,
      heldWords: lines(values.heldWords),
      localHosts: lines(values.localHosts),
      maxVideoBytes: limit(values.maxVideoBytes, settings.maxVideoBytesAllowed),
      maxThumbnailBytes: limit(values.maxThumbnailBytes, settings.maxThumbnailBytesAllowed),
      newMemberDays: Number(values.newMemberDays),
      newMemberComments: Number(values.newMemberComments),
    }),
  })
  return {
    ...form,
    markSaved: (saved: AdminSettings) => form.markSaved(toFields(saved)),
    /** An unset limit follows the server's. */
    edit: () => {
      const { maxVideoBytes, maxThumbnailBytes, ...edit } = form.edit()
      const orNone = (bytes: number, allowed: number) => (bytes === allowed ? null : bytes)
      return {
        ...edit,
        ...(maxVideoBytes !== undefined && {
          maxVideoBytes: orNone(maxVideoBytes, settings.maxVideoBytesAllowed),
        }),
        ...(maxThumbnailBytes !== undefined && {
          maxThumbnailBytes: orNone(maxThumbnailBytes, settings.maxThumbnailBytesAllowed),
        }),
      }
    },
  }
}
