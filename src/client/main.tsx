import './styles/tokens.css'
import './styles/fonts.css'
import './styles/global.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SERVED_ATTRIBUTE } from '#shared/first-paint.ts'
import { PageAnnouncer } from './components/page-title.tsx'
import { PasswordQuestion } from './features/auth/password-question.tsx'
import { KitProvider } from './kit/kit-provider.tsx'
import { Toasts } from './kit/toasts.tsx'
import { moveFocusOnArrival } from './lib/page-arrival.ts'
import { loadFirstPage, preloadWatchPage, preloadWhenIdle, router } from './router.tsx'
import { queryClient, trpc, trpcClient } from './trpc.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

moveFocusOnArrival(router)

const show = () =>
  createRoot(root).render(
    <StrictMode>
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <KitProvider>
            <RouterProvider router={router} />
            <PageAnnouncer />
            <Toasts />
            <PasswordQuestion />
          </KitProvider>
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>,
  )

// What the server has drawn stays until the same can be drawn here.
if (root.hasAttribute(SERVED_ATTRIBUTE)) void loadFirstPage().finally(show)
else show()
const stopWaiting = router.subscribe('onRendered', () => {
  stopWaiting()
  root.removeAttribute(SERVED_ATTRIBUTE)
})

preloadWhenIdle(preloadWatchPage)
