import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The embedded player's page, built apart from the app and after it: in other sites' frames browsers share
 * no cache with the app, so that chunks in common would only be larger than what the player needs.
 */
export default defineConfig({
  root: join(import.meta.dirname, 'src', 'client'),
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../../dist',
    emptyOutDir: false,
    target: 'es2023',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: join(import.meta.dirname, 'src', 'client', 'embed.html') },
  },
})
