import '#client/kit/styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { DigestEvery } from '#shared/schemas/email.schemas.ts'
import classes from './settings-form.module.css'

const WORDS: Record<DigestEvery, string> = { never: 'Never', day: 'Daily', week: 'Weekly' }
const OPTIONS = (Object.keys(WORDS) as DigestEvery[]).map((value) => ({
  value,
  label: WORDS[value],
}))

/** Changes are saved at once. */
export default function DigestSelect() {
  const utils = trpc.useUtils()
  const choice = trpc.digest.choice.useQuery()
  const choose = trpc.digest.choose.useMutation({
    onSuccess: (saved) => utils.digest.choice.setData(undefined, saved),
    onError: notifyFailure('Not saved'),
    onSettled: () => utils.digest.choice.invalidate(),
  })
  const chosen = choose.isPending ? choose.variables.every : choice.data?.every
  return (
    <div className={`${classes.form} ${classes.further}`}>
      <Select
        label="Summary by email"
        description="Your new notifications that you have not read on the site."
        data={OPTIONS}
        disabled={choice.data === undefined}
        value={chosen ?? null}
        onChange={(every) => every && choose.mutate({ every })}
      />
    </div>
  )
}
