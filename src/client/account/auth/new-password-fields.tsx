import '#client/kit/styles/mantine-pages.css'
import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNewPasswordRule } from './use-new-password-rule.ts'

type Name = 'password' | 'newPassword'
type Values = { confirmPassword: string } & { [Field in Name]?: string }

/** Validation of `NewPasswordFields`. */
export function useNewPasswordRules<Field extends Name>(name: Field) {
  const rule = useNewPasswordRule()
  const confirmPassword = (value: string, values: Values) =>
    rule(value) ?? (value === values[name] ? undefined : 'Passwords do not match')
  return { [name]: rule, confirmPassword } as Record<
    Field | 'confirmPassword',
    (value: string, values: Values) => string | undefined
  >
}

type NewPasswordFieldsProps = {
  name: Name
  label: string
  confirmLabel?: string
  /** Props of a field of the form. */
  inputProps: (name: string) => { error?: ReactNode }
}

export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { name, label, confirmLabel = 'Confirm Password', inputProps } = props
  return (
    <>
      <PasswordInput name={name} label={label} autoComplete="new-password" {...inputProps(name)} />
      <PasswordInput
        name="confirmPassword"
        label={confirmLabel}
        autoComplete="new-password"
        {...inputProps('confirmPassword')}
      />
    </>
  )
}
