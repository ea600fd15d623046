import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentQuestion, subscribeToQuestion } from '#client/platform/password-question.ts'

const ConfirmPassword = lazy(() => import('./confirm-password.tsx'))

/** Where the password is asked for again, over whatever page wants it. */
export function PasswordQuestion() {
  const question = useSyncExternalStore(subscribeToQuestion, currentQuestion)
  if (!question) return null
  return (
    <Suspense>
      <ConfirmPassword onAnswer={question.answer} />
    </Suspense>
  )
}
