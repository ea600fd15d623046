import type { ReactNode, SyntheticEvent } from 'react'

/** For a form's `onSubmit`: the first field that is wrong gets the focus. Fields need the `name` of their value. */
export function focusFirstError(
  errors: Record<string, ReactNode>,
  _values: unknown,
  event: SyntheticEvent<HTMLFormElement> | undefined,
): void {
  const [first = ''] = Object.keys(errors)
  const field = event?.currentTarget.elements.namedItem(first)
  if (field instanceof HTMLElement) field.focus()
}
