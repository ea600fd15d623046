import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { bioRule, displayNameRule, emailRule } from '#shared/field-rules.ts'
import { BIO_MAX } from '#shared/limits.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import classes from './settings-form.module.css'

const CONFLICT = 409

type ProfileFormProps = {
  user: OwnUser
  /** Whether the email is shown now; undefined while that is not known. */
  showEmail: boolean | undefined
}

/** What a channel says about itself. */
export function ProfileForm({ user, showEmail }: ProfileFormProps) {
  const utils = trpc.useUtils()
  const emailField = useRef<HTMLInputElement>(null)
  const form = useCheckedForm({
    initialValues: {
      displayName: user.displayName,
      bio: user.bio ?? '',
      email: user.email,
      // Left as it is until it is touched.
      showEmail: undefined as boolean | undefined,
    },
    validate: { displayName: displayNameRule, bio: bioRule, email: emailRule },
  })
  const save = trpc.settings.editProfile.useMutation({
    onSuccess: async (saved) => {
      utils.auth.currentUser.setData(undefined, saved)
      notify({ title: 'Profile saved', message: 'Your changes have been saved.' })
      await Promise.all([utils.user.invalidate(), utils.video.invalidate()])
    },
    onError: (error) => {
      if (errorStatus(error) === CONFLICT) emailField.current?.focus()
    },
  })
  const isEmailTaken = errorStatus(save.error) === CONFLICT
  const { bio } = form.values
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => save.mutate(values))}
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
        <div className={classes.under}>
          <span
            id="bio-count"
            className={classes.count}
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
      <Checkbox
        name="showEmail"
        label="Show my email on my channel"
        description="Everybody finds it on the About tab."
        disabled={showEmail === undefined}
        checked={form.values.showEmail ?? showEmail ?? false}
        onChange={(event) => form.setFieldValue('showEmail', event.currentTarget.checked)}
      />
      <div className={classes.foot}>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
        <p className={classes.problem} role="alert">
          {save.error && !isEmailTaken && notSaved(save.error)}
        </p>
      </div>
    </form>
  )
}

function notSaved(error: unknown): string {
  return `${serverSentence(error)} Nothing was saved; what you typed is still here.`
}
