import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const POLICY = 'content-security-policy'
const INLINE_SCRIPT = /<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs

/** @param template the built page; its inline scripts are allowed by hash */
export function createPageSender(template: string) {
  const hashes = [...template.matchAll(INLINE_SCRIPT)].map(([, text = '']) => hashOf(text))
  const scripts = ["script-src 'self'", ...hashes].join(' ')
  return (reply: FastifyReply, page: string): FastifyReply => {
    const policy = String(reply.getHeader(POLICY)).replace("script-src 'self'", scripts)
    return reply.type('text/html; charset=utf-8').header(POLICY, policy).send(page)
  }
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
