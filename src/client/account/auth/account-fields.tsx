import '#client/kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { displayNameRule, emailRule, usernameRule } from '#shared/field-rules.ts'

/** Validation of `AccountFields`. */
export const ACCOUNT_RULES = {
  username: usernameRule,
  email: emailRule,
  displayName: displayNameRule,
}

type AccountFieldsProps = {
  usernameHint: string
  /** Props of a field of the form. */
  inputProps: (name: 'username' | 'email' | 'displayName') => { error?: ReactNode }
}

export function AccountFields({ usernameHint, inputProps }: AccountFieldsProps) {
  return (
    <>
      <TextInput
        label="Username"
        description={usernameHint}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...inputProps('username')}
      />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        {...inputProps('email')}
      />
      <TextInput
        label="Display Name"
        description="Shown publicly"
        name="displayName"
        autoComplete="nickname"
        {...inputProps('displayName')}
      />
    </>
  )
}
