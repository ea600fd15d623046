import type { ServerResponse } from 'node:http'

/** The answers with files under way, by the link that they came by. */
const underWay = new Map<number, Set<ServerResponse>>()

/** Remembers an answer until it is over. */
export function noteTransfer(linkId: number, response: ServerResponse): void {
  const responses = underWay.get(linkId) ?? new Set()
  underWay.set(linkId, responses.add(response))
  response.once('close', () => {
    responses.delete(response)
    if (responses.size === 0 && underWay.get(linkId) === responses) underWay.delete(linkId)
  })
}

/** Cuts off who is being sent a file by links that were ended. */
export function endTransfers(linkIds: number[]): void {
  for (const id of linkIds) for (const response of underWay.get(id) ?? []) response.destroy()
}
