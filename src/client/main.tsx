import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { PAGE_DATA_ID, type PageAnswers } from '#shared/page-data.ts'
import { ConnectionLine } from './kit/connection-line.tsx'
import { KitProvider } from './kit/kit-provider.tsx'
import { lazyPart } from './kit/list/lazy-part.tsx'
import { PageAnnouncer } from './kit/page-title.tsx'
import { Toasts } from './kit/toasts.tsx'
import { connection, watchConnection } from './platform/connection.ts'
import { watchTyping } from './platform/harmless-reload.ts'
import { reloadLostImages } from './platform/lost-images.ts'
import { moveFocusOnArrival } from './platform/page-arrival.ts'
import { currentQuestion, subscribeToQuestion } from './platform/password-question.ts'
import { keepPlaces } from './platform/place/keep-places.ts'
import { whenIdle, whenLoaded, whenPainted } from './platform/when-idle.ts'
import { preloadWatchPage, preloadWhenIdle, router } from './router.tsx'
import { queryClient, trpc, trpcClient, trpcUtils } from './trpc.ts'

const ConfirmPassword = lazyPart(() => import('./account/auth/confirm-password.tsx'))

/** Dialog over any page. */
function PasswordQuestion() {
  const question = useSyncExternalStore(subscribeToQuestion, currentQuestion)
  if (!question) return null
  const { answer } = question
  return <ConfirmPassword onConfirmed={() => answer(true)} onClose={() => answer(false)} />
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const answers = document.getElementById(PAGE_DATA_ID)?.textContent ?? '[]'
for (const [key, data] of JSON.parse(answers) as PageAnswers) queryClient.setQueryData(key, data)
moveFocusOnArrival(router)
watchConnection()
reloadLostImages()
watchTyping()
keepPlaces(router)

const show = () =>
  createRoot(root).render(
    <StrictMode>
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <KitProvider>
            <RouterProvider router={router} />
            <PageAnnouncer />
            <ConnectionLine />
            <Toasts />
            <PasswordQuestion />
          </KitProvider>
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>,
  )

// The skeleton is painted, and stays until the app renders the same, or the connection is lost.
void Promise.race([
  Promise.all([
    whenPainted(),
    trpcUtils.site.settings.prefetch(),
    trpcUtils.auth.currentUser.prefetch(),
    router.load(),
  ]),
  connection.untilLost(),
]).finally(show)

preloadWhenIdle(preloadWatchPage)

// The site works without it, so a failure is not reported.
if (import.meta.env.PROD) {
  void whenLoaded()
    .then(whenIdle)
    .then(() => import('./platform/service-worker.ts'))
    .then(({ startServiceWorker }) => startServiceWorker((path) => router.history.push(path)))
    .catch(() => undefined)
}
