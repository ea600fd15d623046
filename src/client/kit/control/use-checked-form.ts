import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'

type CheckedFormOptions<Values> = {
  initialValues: Values
  validate: { [Field in keyof Values]?: (value: Values[Field], values: Values) => ReactNode }
  onValuesChange?: () => void
  /** Is called before the first invalid field gets the focus. */
  onInvalid?: ((field: string) => void) | undefined
}

/**
 * Validates on submit, focuses the first invalid field, then validates on change. Fields need the
 * `name` of their value.
 */
export function useCheckedForm<Values extends Record<string, unknown>>(
  options: CheckedFormOptions<Values>,
) {
  const [wasSent, setSent] = useState(false)
  const form = useForm<Values>({ ...options, validateInputOnChange: wasSent } as object)
  return {
    ...form,
    onSubmit: (submit: (values: Values) => void) =>
      form.onSubmit(submit, (errors, _values, event) => {
        setSent(true)
        const [first = ''] = Object.keys(errors)
        options.onInvalid?.(first)
        const field = event?.currentTarget.elements.namedItem(first)
        if (field instanceof HTMLElement) field.focus()
      }),
  }
}

export type CheckedForm<Values extends Record<string, unknown>> = ReturnType<
  typeof useCheckedForm<Values>
>
