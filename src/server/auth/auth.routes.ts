import { AppError } from '../errors.ts'
import type { RestRoute } from '../http/rest-scope.ts'

export const authRoutes: RestRoute[] = [
  {
    method: 'GET',
    path: '/user',
    procedure: 'auth.currentUser',
    present: (user) => {
      if (!user) throw new AppError('unauthenticated', 'You are not signed in.')
      return user
    },
    headers: { 'cache-control': 'no-store' },
  },
  { method: 'POST', path: '/login', procedure: 'auth.login' },
  { method: 'POST', path: '/register', procedure: 'auth.register', status: 201 },
  { method: 'POST', path: '/logout', procedure: 'auth.logout', status: 204 },
]
