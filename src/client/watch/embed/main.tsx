import '#client/kit/styles/tokens.css'
import '#client/kit/styles/fonts.css'
import '#client/kit/styles/global.css'
import './embed.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { KitProvider } from '#client/kit/kit-provider.tsx'
import { watchConnection } from '#client/platform/connection.ts'
import { EMBEDDED_VIDEO_ID, type EmbeddedVideo } from '#shared/embedded-video.ts'
import { EmbeddedPlayer } from './embedded-player.tsx'

watchConnection()

const root = document.getElementById('root')
const data = document.getElementById(EMBEDDED_VIDEO_ID)?.textContent

// Without a video the server has written an error into the page.
if (root && data) {
  createRoot(root).render(
    <StrictMode>
      <KitProvider>
        <EmbeddedPlayer video={JSON.parse(data) as EmbeddedVideo} />
      </KitProvider>
    </StrictMode>,
  )
}
