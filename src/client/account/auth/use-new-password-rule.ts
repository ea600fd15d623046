import { trpc } from '#client/trpc.ts'
import { type FieldRule, newPasswordRule } from '#shared/field-rules.ts'
import { PASSWORD_MIN } from '#shared/limits.ts'

/** Checks only the length. The server also refuses passwords that are easily guessed, such as common ones. */
export function useNewPasswordRule(): FieldRule {
  const { data } = trpc.signIn.ways.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY })
  return newPasswordRule(data?.passwordMin ?? PASSWORD_MIN)
}
