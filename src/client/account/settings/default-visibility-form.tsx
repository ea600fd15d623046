import { notifyNotSaved } from '#client/kit/edit/notify-changed.ts'
import { VisibilityField } from '#client/kit/visibility/visibility-field.tsx'
import { notify } from '#client/platform/notify.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { lowerFirst } from '#shared/text/first-letter.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import classes from './settings-form.module.css'

/** Saved at once. */
export default function DefaultVisibilityForm({ user }: { user: OwnUser }) {
  const utils = trpc.useUtils()
  const { name, text } = VISIBILITY_WORDS[useSite()?.defaultVisibility ?? 'public']
  const save = trpc.settings.editProfile.useMutation({
    onSuccess: (saved) => {
      utils.auth.currentUser.setData(undefined, saved)
      notify({ title: 'Default saved', message: nameOf(saved.defaultVisibility) })
    },
    onError: (error) => {
      notifyNotSaved(error, { title: 'Not saved', show: nameOf })
      return utils.auth.currentUser.invalidate()
    },
  })
  // Optimistic, with rollback.
  const was = { defaultVisibility: user.defaultVisibility }
  const chosen = save.isPending ? save.variables.defaultVisibility : user.defaultVisibility
  return (
    <div className={classes.form}>
      <VisibilityField
        label="Visibility of new videos"
        unset={{ name: 'Site default', text: `Now ${name}: ${lowerFirst(text)}` }}
        value={chosen ?? null}
        onChange={(defaultVisibility) => save.mutate({ defaultVisibility, was })}
      />
    </div>
  )
}

const nameOf = (level: OwnUser['defaultVisibility']) =>
  level ? VISIBILITY_WORDS[level].name : 'Site default'
