import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** What draws the home page for the server's first answer: run once by the build, and removed. */
export default defineConfig({
  root: join(import.meta.dirname, 'src', 'client'),
  publicDir: false,
  plugins: [react()],
  ssr: { noExternal: true },
  build: {
    ssr: join(import.meta.dirname, 'src', 'client', 'first-paint', 'make-first-paint.tsx'),
    outDir: '../../dist/.first-paint',
    emptyOutDir: true,
    target: 'es2023',
  },
})
