import { type FormEvent, useState } from 'react'

type Rules<Values> = {
  [Field in keyof Values]?: (value: Values[Field], values: Values) => string | undefined
}

type Problems<Values> = { [Field in keyof Values]?: string }

/**
 * The state of a form: nothing is complained about until it is submitted, then each change is
 * checked. `values` outlive a failed submission.
 */
export function useForm<Values extends Record<string, unknown>>(
  initial: Values,
  rules: Rules<Values>,
) {
  const [values, setValues] = useState(initial)
  const [wasSubmitted, setSubmitted] = useState(false)

  const problems: Problems<Values> = {}
  for (const field in rules) {
    const problem = rules[field]?.(values[field], values)
    if (problem) problems[field] = problem
  }
  const firstProblem = Object.keys(problems)[0]

  return {
    values,
    /** The sentence to show beside each field. */
    errors: wasSubmitted ? problems : ({} as Problems<Values>),
    isValid: firstProblem === undefined,
    set<Field extends keyof Values>(field: Field, value: Values[Field]): void {
      setValues((old) => ({ ...old, [field]: value }))
    },
    /** For `<form onSubmit>`; fields need the `name` of their value, so that the first wrong one gets the focus. */
    onSubmit:
      (submit: (values: Values) => void) =>
      (event: FormEvent<HTMLFormElement>): void => {
        event.preventDefault()
        setSubmitted(true)
        if (firstProblem === undefined) {
          submit(values)
          return
        }
        const field = event.currentTarget.elements.namedItem(firstProblem)
        if (field instanceof HTMLElement) field.focus()
      },
  }
}
