import { AppError } from '#server/platform/errors.ts'
import type { RestRoute } from '#server/platform/http/rest-adapter.ts'
import { ownUserSchema } from '#shared/schemas/user.schemas.ts'

export const authRoutes = [
  {
    method: 'GET',
    path: '/user',
    procedure: 'auth.currentUser',
    summary: 'The account that is signed in.',
    signedIn: true,
    failures: [401],
    present: (user) => {
      if (!user) throw new AppError('unauthenticated', 'You are not signed in.')
      return user
    },
    headers: { 'cache-control': 'no-store' },
    body: ownUserSchema,
  },
  {
    method: 'POST',
    path: '/login',
    procedure: 'auth.login',
    summary:
      'Sign in. An account with two-step sign-in answers 401 with the next step, a cookie of ten minutes, and waits for a code.',
    failures: [400, 401, 403, 429],
  },
  {
    method: 'POST',
    path: '/login/code',
    procedure: 'auth.finishSignIn',
    appOnly: ['passkey'],
    summary:
      'Finish a sign-in with the code of an authenticator app or a recovery code, and the cookie of the first step.',
    failures: [400, 401, 403, 429],
  },
  {
    method: 'POST',
    path: '/register',
    procedure: 'auth.register',
    summary: 'Make an account and sign in.',
    failures: [400, 401, 403, 409, 429],
    status: 201,
  },
  {
    method: 'POST',
    path: '/logout',
    procedure: 'auth.logout',
    summary: 'Log out; without a session it does nothing.',
    failures: [403],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
