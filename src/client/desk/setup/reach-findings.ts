import { isLocalHost, isLoopbackHost } from '#shared/local-host.ts'
import type { Reach } from '#shared/schemas/desk/setup.schemas.ts'

export type ReachFinding = {
  tone: 'good' | 'note' | 'act'
  title: string
  text: string
  /** Addresses to open, or lines for the environment. */
  lines?: string[]
}

/**
 * Sentences about how the site is reached, with advice.
 * @param pageOrigin the address in the browser
 */
export function describeReach(reach: Reach, pageOrigin = reach.origin): ReachFinding[] {
  return [
    describeNetwork(reach),
    describeOutside(reach),
    describeChats(reach),
    describeReplacedHost(reach, pageOrigin) ?? describeProxy(reach),
  ]
}

function describeNetwork({ lanOrigins, loneHost }: Reach): ReachFinding {
  const title = 'On your network'
  if (loneHost !== null && isLoopbackHost(loneHost)) {
    const text = `HOST is ${loneHost}: only programs on this machine get in. That is right behind a proxy here; without one, let the network in:`
    return { tone: 'note', title, text, lines: ['HOST=0.0.0.0'] }
  }
  if (loneHost !== null) {
    return { tone: 'note', title, text: `The site listens to ${loneHost} alone, as HOST says.` }
  }
  if (lanOrigins.length === 0) {
    return { tone: 'note', title, text: 'This machine is on no network now.' }
  }
  const text =
    "Whoever is on the same network opens one of these. In a container they are the container's own; use the machine's address there."
  return { tone: 'good', title, text, lines: lanOrigins }
}

function describeOutside({ publicUrl, origin, isPublic }: Reach): ReachFinding {
  const title = 'From outside'
  if (publicUrl?.startsWith('https:')) {
    const text = `PUBLIC_URL is ${publicUrl}. Links and feeds carry it, and passwords travel encrypted.`
    return { tone: 'good', title, text }
  }
  if (publicUrl !== null) {
    const text = `PUBLIC_URL is ${publicUrl}: without https, whoever is in between reads passwords and cookies. Put a proxy with TLS in front, and give its https address.`
    return { tone: isPublic ? 'act' : 'note', title, text }
  }
  if (isPublic) {
    const text = `You came by ${origin}, but PUBLIC_URL is not set, so links carry whatever address each visitor used. Give the site's https address:`
    return { tone: 'act', title, text, lines: [publicUrlLine(origin)] }
  }
  const text =
    'PUBLIC_URL is not set, which is fine among friends at home. For others, lead a domain here with a proxy or a tunnel, and name it:'
  return { tone: 'note', title, text, lines: ['PUBLIC_URL=https://clips.example.org'] }
}

const publicUrlLine = (origin: string) => `PUBLIC_URL=https://${new URL(origin).hostname}`

function describeChats({ publicUrl, origin, isPublic }: Reach): ReachFinding {
  const title = 'In chats'
  const address = publicUrl ?? origin
  if (!isPublic) {
    const text = `Links carry ${address}, an address of your own network: Discord, X and iMessage can fetch no picture from it.`
    return { tone: 'note', title, text }
  }
  if (!address.startsWith('https:')) {
    const text = `Links carry ${address}: without https X shows no player, and some chats no picture.`
    return { tone: 'act', title, text }
  }
  return {
    tone: 'good',
    title,
    text: `Links carry ${address}, from which chats fetch pictures and players.`,
  }
}

/** The server accepts requests for PUBLIC_URL, or the host that it sees. */
function describeReplacedHost(
  { origin, publicUrl }: Reach,
  pageOrigin: string,
): ReachFinding | undefined {
  const [shown, reached] = [new URL(pageOrigin).host, new URL(origin).host]
  if (shown === reached || pageOrigin === publicUrl) return
  const text = `You opened ${shown}, but the request arrived for ${reached}: the proxy replaces the Host header, so signing in, uploading and commenting are refused there. Let it pass the Host header on, or name the address:`
  return { tone: 'act', title: 'Behind a proxy', text, lines: [`PUBLIC_URL=${pageOrigin}`] }
}

function describeProxy({ proxy, peer, publicUrl, origin }: Reach): ReachFinding {
  const title = 'Behind a proxy'
  if (proxy === 'untrusted') {
    const text = `The proxy at ${peer} is not trusted, so all visitors count as one and share its limits. Trust it:`
    return { tone: 'act', title, text, lines: [`TRUSTED_PROXY=${peer}`] }
  }
  if (proxy === 'trusted') {
    const text = `The proxy at ${peer} is trusted: the site knows each visitor's own address.`
    return { tone: 'good', title, text }
  }
  if (publicUrl !== null && publicUrl !== origin) {
    const text = `You came past it, by ${origin}. Open ${publicUrl} to check the way that others take.`
    return { tone: 'note', title, text }
  }
  return { tone: 'note', title, text: 'There is none: you reached the site directly.' }
}

/** `PUBLIC_URL`, or the page's origin. */
export function linkOrigin({ publicUrl }: Pick<Reach, 'publicUrl'>, pageOrigin: string): string {
  return publicUrl ?? pageOrigin
}

/** @returns who cannot open a link, with advice; undefined when everyone can */
export function describeLink(
  { lanOrigins }: Pick<Reach, 'lanOrigins'>,
  origin: string,
): ReachFinding | undefined {
  const { hostname } = new URL(origin)
  const publicUrl = 'PUBLIC_URL=https://clips.example.org'
  if (isLoopbackHost(hostname)) {
    const title = 'Others cannot open this link'
    const about = `It begins with ${origin}, which on every device means that device itself.`
    const text =
      lanOrigins.length > 0
        ? `${about} For people on your network, put one of these addresses in its place. For everybody else, set PUBLIC_URL to the address of the site, and links begin with that:`
        : `${about} Set PUBLIC_URL to the address at which others reach the site, and links begin with that:`
    return { tone: 'act', title, text, lines: [...lanOrigins, publicUrl] }
  }
  if (isLocalHost(hostname)) {
    const title = 'Only people on your network can open this link'
    const text = `It begins with ${origin}. For people elsewhere, set PUBLIC_URL to the outside address of the site:`
    return { tone: 'note', title, text, lines: [publicUrl] }
  }
  return undefined
}
