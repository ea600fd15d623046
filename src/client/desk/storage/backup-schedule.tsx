import { look, row } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { notifyNotSaved } from '../../kit/edit/notify-changed.ts'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))
const RETENTION_OPTIONS = [1, 2, 3, 5, 7, 14, 30, 60, 100].map((count) => ({
  value: String(count),
  label: String(count),
}))

export function BackupSchedule() {
  const utils = trpc.useUtils()
  const settings = trpc.site.adminSettings.useQuery()
  const save = trpc.site.edit.useMutation({
    onSuccess: (saved) => {
      utils.site.adminSettings.setData(undefined, saved)
      notify({ title: 'Schedule saved' })
    },
    onError: (error) => {
      const show = (theirs: number | null) => (theirs === null ? 'Never' : String(theirs))
      notifyNotSaved(error, { title: 'Not saved', show })
      return utils.site.adminSettings.invalidate()
    },
  })
  if (settings.isError) {
    return (
      <LoadError
        text={`The schedule could not be loaded: ${errorSentence(settings.error)}`}
        error={settings.error}
        onRetry={() => void settings.refetch()}
      />
    )
  }
  // A hidden placeholder of the same size prevents moving.
  const { backupHour, backupsKept } = settings.data ?? { backupHour: null, backupsKept: 1 }
  const retention = String(backupsKept)
  const options = RETENTION_OPTIONS.some(({ value }) => value === retention)
    ? RETENTION_OPTIONS
    : [...RETENTION_OPTIONS, { value: retention, label: retention }]
  return (
    <Panel title="Every night">
      <div
        className={`${classes.row} ${row([8, 16], 'wrap')}`}
        data-unknown={!settings.data || undefined}
      >
        <InlineSelect
          label="At"
          options={[{ value: 'never', label: 'Never' }, ...HOURS]}
          value={backupHour === null ? 'never' : String(backupHour)}
          onChange={(value) =>
            save.mutate({
              backupHour: value === 'never' ? null : Number(value),
              was: { backupHour },
            })
          }
        />
        <InlineSelect
          label="Keep the newest"
          options={options}
          value={retention}
          onChange={(value) => save.mutate({ backupsKept: Number(value), was: { backupsKept } })}
        />
      </div>
      <p className={look('muted')}>
        By the server's clock. Older nightly ones are deleted; those made by hand stay.
      </p>
    </Panel>
  )
}
