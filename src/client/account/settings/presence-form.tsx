import '#client/kit/styles/mantine-pages.css'
import { Switch } from '@mantine/core'
import { notifyNotSaved } from '#client/kit/edit/notify-changed.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

const nameOf = (isOn: boolean) => (isOn ? 'On' : 'Off')

/** Saves the switch as soon as it is changed. */
export default function PresenceForm({ user }: { user: OwnUser }) {
  const utils = trpc.useUtils()
  const was = { showsPresence: user.showsPresence }
  const save = trpc.settings.editProfile.useMutation({
    onSuccess: (saved) => {
      utils.auth.currentUser.setData(undefined, saved)
      const message = saved.showsPresence
        ? 'Subscribers who also allow it can see what you are watching.'
        : 'Nobody sees what you watch.'
      notify({ title: 'Saved', message })
    },
    onError: (error) => {
      notifyNotSaved(error, { title: 'Not saved', show: nameOf })
      return utils.auth.currentUser.invalidate()
    },
  })
  const chosen = save.isPending ? save.variables.showsPresence : user.showsPresence
  return (
    <Switch
      label="Show subscribers what I watch"
      description="Subscribers who also turn this on see your face on the page of a video while you have it open, and you see theirs. Members of your squads who turn this on see whether you were here in the last day. What you watch is not stored."
      checked={chosen ?? false}
      onChange={(event) => save.mutate({ showsPresence: event.currentTarget.checked, was })}
    />
  )
}
