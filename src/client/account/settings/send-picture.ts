import { statusMessage } from '#client/platform/error-message.ts'

/** Makes `picture` the avatar or the banner of one's channel. @throws with '{status}: {text}' */
export async function sendPicture(kind: 'avatar' | 'banner', picture: Blob): Promise<void> {
  const form = new FormData()
  form.set('picture', picture, `${kind}.jpg`)
  const response = await fetch(`/api/settings/${kind}`, { method: 'POST', body: form })
  if (!response.ok) throw new Error(statusMessage(response.status, await response.text()))
}
