/**
 * The service worker: a page for when the network fails, files from the share sheet, and notifications. It caches no
 * data and no media. See docs/decisions/0086-web-push-and-service-worker.md.
 */

// The server replaces it with a digest of the offline page. A new version replaces the old one at once.
const VERSION = '{version}'
const OFFLINE_PAGE = '/offline'
const OFFLINE_CACHE = `offline-${VERSION}`
/** `shared-files.ts`, which reads this cache, has the same name. */
const SHARED_CACHE = 'shared-files'
const SHARE_PATH = '/share'
/** Documents that are not pages of the app. */
const NO_PAGES = /^\/(api|trpc|media|cdn|assets|embed|feeds|get|s)(\/|$)/

addEventListener('install', (event) => {
  skipWaiting()
  // Where browsers support it, requests other than navigations do not start the worker.
  const onlyNavigations = { condition: { not: { requestMode: 'navigate' } }, source: 'network' }
  event.waitUntil(event.addRoutes?.(onlyNavigations).catch(() => {}) ?? Promise.resolve())
  event.waitUntil(caches.open(OFFLINE_CACHE).then((cache) => cache.add(OFFLINE_PAGE)))
})

addEventListener('activate', (event) => {
  event.waitUntil(dropOldPages())
  event.waitUntil(clients.claim())
  // Earlier versions enabled it. Browsers then send a navigation twice if the worker does not answer it.
  event.waitUntil(registration.navigationPreload?.disable() ?? Promise.resolve())
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname } = new URL(request.url)
  if (request.mode !== 'navigate' || request.destination !== 'document') return
  if (request.method === 'POST' && pathname === SHARE_PATH) event.respondWith(takeShared(request))
  if (request.method === 'GET' && !NO_PAGES.test(pathname)) event.respondWith(findPage(request))
})

addEventListener('push', (event) => {
  event.waitUntil(showMessage(event.data?.json() ?? {}))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openMessage(event.notification.data ?? {}))
})

async function dropOldPages() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith('offline-') && name !== OFFLINE_CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
}

async function findPage(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const page = await caches.match(OFFLINE_PAGE)
    if (!page) throw error
    return page
  }
}

/** Keeps the files until the app has uploaded them, also through a sign-in. */
async function takeShared(request) {
  try {
    const form = await request.formData()
    const files = form.getAll('videos').filter((value) => value instanceof File && value.size > 0)
    if (files.length === 0) return Response.redirect('/upload', 303)
    const cache = await caches.open(SHARED_CACHE)
    const now = Date.now()
    for (const [at, file] of files.entries()) {
      const headers = {
        'content-type': file.type || 'application/octet-stream',
        // Headers can have only ASCII characters.
        'x-name': encodeURIComponent(file.name),
        'x-modified': String(file.lastModified),
        'x-kept': String(now),
      }
      await cache.put(`/shared/${now}-${at}`, new Response(file, { headers }))
    }
    return Response.redirect('/upload', 303)
  } catch {
    // For example, the disk is full.
    return Response.redirect('/upload?share=failed', 303)
  }
}

async function showMessage({ title = 'New notification', body, tag, link, id, unread }) {
  if (unread !== undefined) await navigator.setAppBadge?.(unread).catch(() => {})
  await registration.showNotification(title, {
    ...{ body, tag, icon: '/icons/icon-192.png', badge: '/icons/badge-96.png' },
    data: { link, id },
  })
}

async function openMessage({ link = '/notifications', id }) {
  if (id !== undefined) await markRead(id).catch(() => {})
  const windows = await clients.matchAll({ type: 'window' })
  const open = windows.find(({ url }) => !NO_PAGES.test(new URL(url).pathname))
  if (!open) return clients.openWindow(link)
  // A new document would end uploads and playback.
  open.postMessage({ open: link })
  await open.focus()
}

function markRead(id) {
  return fetch('/trpc/notification.markGroupRead', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  })
}
