import { trpc } from '#client/trpc.ts'
import { type FieldRule, newPasswordRule } from '#shared/field-rules.ts'
import { PASSWORD_MIN } from '#shared/limits.ts'

/** The server refuses more, such as common passwords. */
export function useNewPasswordRule(): FieldRule {
  const { data } = trpc.signIn.ways.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY })
  return newPasswordRule(data?.passwordMin ?? PASSWORD_MIN)
}
