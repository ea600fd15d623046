import './styles/tokens.css'
import './styles/fonts.css'
import './styles/global.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ToastRegion } from './components/toast-region.tsx'
import { router } from './router.tsx'
import { queryClient, trpc, trpcClient } from './trpc.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ToastRegion />
      </QueryClientProvider>
    </trpc.Provider>
  </StrictMode>,
)
