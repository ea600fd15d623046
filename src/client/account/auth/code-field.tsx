import '#client/kit/styles/mantine-pages.css'
import { TextInput, type TextInputProps } from '@mantine/core'

type CodeFieldProps = Omit<TextInputProps, 'onChange' | 'value'> & {
  value: string
  onChange: (value: string) => void
  isRecovery?: boolean
}

/** Input for a code of an authenticator app or a recovery code. The server ignores spaces and hyphens. */
export function CodeField({ onChange, isRecovery = false, ...props }: CodeFieldProps) {
  const kind = isRecovery
    ? ({ label: 'Recovery code', inputMode: 'text', autoComplete: 'off' } as const)
    : ({ label: 'Code', inputMode: 'numeric', autoComplete: 'one-time-code' } as const)
  return (
    <TextInput
      name="code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      {...kind}
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
