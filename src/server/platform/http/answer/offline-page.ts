import { accentOn, DEFAULT_ACCENT } from '#shared/colour.ts'
import { escapeMarkup } from '#shared/embed-code.ts'

/** Reloads the page once the server answers again. */
const SCRIPT = `
const reload = () => location.reload()
addEventListener('online', reload)
setInterval(async () => {
  const answer = await fetch('/api/health', { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) reload()
}, 5000)
`

/** The page that the service worker shows without a network. It loads nothing else. */
export function renderOfflinePage({ name, accent }: { name: string; accent: string | null }) {
  const colours = (['dark', 'light'] as const).map((scheme) => {
    const { fill, ink } = accentOn(scheme, accent ?? DEFAULT_ACCENT)
    return `--fill: ${fill}; --ink: ${ink};`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>You are offline – ${escapeMarkup(name)}</title>
<style>
:root { --ground: #0b0d12; --text: #e9ecf2; --muted: #9aa4b5; ${colours[0]} }
@media (prefers-color-scheme: light) {
  :root { --ground: #ffffff; --text: #0b0d12; --muted: #525b6b; ${colours[1]} }
}
body {
  display: grid; place-content: center; justify-items: center; gap: 16px; min-height: 100dvh; margin: 0;
  padding: 24px; box-sizing: border-box; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; text-align: center;
}
h1, p { margin: 0; }
h1 { font-size: 22px; line-height: 1.25; }
p { color: var(--muted); max-width: 40ch; }
a {
  display: inline-flex; align-items: center; min-height: 44px; padding: 0 24px; border-radius: 6px;
  background: var(--fill); color: var(--ink); font-weight: 600; text-decoration: none;
}
</style>
</head>
<body>
<main style="display: contents">
<svg width="56" height="56" viewBox="0 0 24 24" aria-hidden="true"><path fill="currentColor" d="M22.74 9.61A11 11 0 1 1 19.44 3.9L15.3 6.28A6.6 6.6 0 1 0 18.6 12Z"/><path fill="var(--fill)" d="M15.83 7.83 20.68 5.03 22.38 7.97 17.53 10.77Z"/></svg>
<h1>${escapeMarkup(name)} can’t be reached</h1>
<p>Check your connection. The page opens by itself once the site can be reached again.</p>
<a href="">Try again</a>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}
