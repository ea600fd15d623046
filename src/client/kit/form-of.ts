import type { useForm } from '@mantine/form'

/** What fields need of the form that they are a part of. */
export type FormOf<Values extends Record<string, unknown>> = Pick<
  ReturnType<typeof useForm<Values>>,
  'values' | 'errors' | 'getInputProps' | 'setFieldValue'
>
