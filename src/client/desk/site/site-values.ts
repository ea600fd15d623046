import type { AdminSettings, EditSiteSettings } from '#shared/schemas/desk/site.schemas.ts'

type SettingsValues = ReturnType<typeof toValues>
export type SetValue = <Name extends keyof SettingsValues>(
  name: Name,
  value: SettingsValues[Name],
) => void
/** What the parts of the settings' form take. */
export type FieldsProps = { values: SettingsValues; set: SetValue; settings: AdminSettings }

const MB = 1024 ** 2
const inMegabytes = (bytes: number) => String(Math.round((bytes / MB) * 100) / 100)
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The settings as the form's fields hold them: sizes in MB, lists a line each. */
export function toValues(settings: AdminSettings) {
  return {
    name: settings.name,
    tagline: settings.tagline,
    accent: settings.accent,
    rules: settings.rules,
    notice: settings.notice,
    registration: settings.registration,
    audience: settings.audience,
    defaultVisibility: settings.defaultVisibility,
    allowsDownloads: settings.allowsDownloads,
    uploadsNeedApproval: settings.uploadsNeedApproval,
    extraCategories: settings.extraCategories.join('\n'),
    anonymousByDefault: settings.anonymousByDefault,
    discordEmbedByDefault: settings.discordEmbedByDefault,
    maxVideoMegabytes: inMegabytes(settings.maxVideoBytes),
    maxThumbnailMegabytes: inMegabytes(settings.maxThumbnailBytes),
    heldWords: settings.heldWords.join('\n'),
    holdLinks: settings.holdLinks,
    asksForUpdates: settings.asksForUpdates,
    updateAddress: settings.updateAddress,
    newMemberDays: String(settings.newMemberDays),
    newMemberComments: String(settings.newMemberComments),
  }
}

/** Only what differs from the settings as they are. */
export function toChange(values: SettingsValues, settings: AdminSettings): EditSiteSettings {
  const before = toValues(settings)
  const changed = (name: keyof SettingsValues) => values[name] !== before[name]
  const plain = [
    'name',
    'tagline',
    'accent',
    'rules',
    'notice',
    'registration',
    'audience',
    'defaultVisibility',
    'allowsDownloads',
    'uploadsNeedApproval',
    'anonymousByDefault',
    'discordEmbedByDefault',
    'holdLinks',
    'asksForUpdates',
    'updateAddress',
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
