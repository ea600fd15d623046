import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { type Edit, type FieldLabels, useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { look, row } from '#client/kit/layout/layout.ts'
import { errorStatus, fieldConflicts, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { bioRule, displayNameRule, emailRule } from '#shared/field-rules.ts'
import { BIO_MAX } from '#shared/limits.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { EmailNote } from './email-note.tsx'
import classes from './settings-form.module.css'

const CONFLICT = 409

type Profile = Pick<OwnUser, 'displayName' | 'bio' | 'email' | 'showEmail'>

const LABELS: FieldLabels<Profile> = {
  displayName: 'Display Name',
  bio: 'Bio',
  email: 'Email',
  showEmail: 'Show my email on my channel',
}

export function ProfileForm({ user }: { user: OwnUser }) {
  const utils = trpc.useUtils()
  const emailField = useRef<HTMLInputElement>(null)
  const form = useEditForm<Profile, Profile & { bio: string }>({
    saved: readProfile(user),
    labels: LABELS,
    toValues: (profile) => ({ ...profile, bio: profile.bio ?? '' }),
    toFields: (values) => values,
    validate: { displayName: displayNameRule, bio: bioRule, email: emailRule },
  })
  const save = trpc.settings.editProfile.useMutation({
    onSuccess: async (saved) => {
      form.markSaved(readProfile(saved))
      utils.auth.currentUser.setData(undefined, saved)
      notify({ title: 'Profile saved', message: 'Your changes have been saved.' })
      await Promise.all([
        utils.user.invalidate(),
        utils.video.invalidate(),
        utils.email.invalidate(),
      ])
    },
    onError: (error) => {
      form.noteConflicts(error)
      if (isEmailConflict(error)) emailField.current?.focus()
    },
  })
  const isEmailTaken = isEmailConflict(save.error)
  const { bio } = form.values
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(() => save.mutate(toInput(form.edit())))}
    >
      <TextInput
        name="displayName"
        label="Display Name"
        description="Shown publicly"
        autoComplete="nickname"
        {...form.getInputProps('displayName')}
      />
      <div>
        <Textarea
          name="bio"
          label="Bio"
          rows={4}
          resize="vertical"
          aria-describedby="bio-count"
          {...form.getInputProps('bio')}
          error={form.errors.bio ?? bioRule(bio)}
        />
        <div className={row(16, 'between', 'stretch')}>
          <span
            id="bio-count"
            className={`${classes.count} ${look('marginStartAuto', 'fine')}`}
            data-over={bio.trim().length > BIO_MAX || undefined}
          >
            {bio.trim().length} / {BIO_MAX}
            <span className="visually-hidden"> characters</span>
          </span>
        </div>
      </div>
      <TextInput
        ref={emailField}
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        {...form.getInputProps('email')}
        error={form.errors.email ?? (isEmailTaken && serverSentence(save.error))}
      />
      <EmailNote email={user.email} />
      <Checkbox
        name="showEmail"
        label="Show my email on my channel"
        description="Everyone can see it on the About tab."
        {...form.getInputProps('showEmail', { type: 'checkbox' })}
      />
      <EditConflicts form={form} />
      <div className={row([12, 16], 'wrap')}>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
        <p className={look('grow', 'problem')} role="alert">
          {save.error && !isEmailTaken && !fieldConflicts(save.error) && notSaved(save.error)}
        </p>
      </div>
    </form>
  )
}

const readProfile = ({ displayName, bio, email, showEmail }: OwnUser): Profile => ({
  displayName,
  bio,
  email,
  showEmail,
})

/** An empty bio is stored as null. */
const toInput = ({ bio, ...edit }: Edit<Profile>) => ({
  ...edit,
  ...(bio !== undefined && { bio: bio ?? '' }),
})

function isEmailConflict(error: unknown): boolean {
  return errorStatus(error) === CONFLICT && !fieldConflicts(error)
}

function notSaved(error: unknown): string {
  return `${serverSentence(error)} Nothing was saved; what you typed is still here.`
}
