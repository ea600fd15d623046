import { siteFetch } from './connection.ts'
import { failedAnswer } from './error-message.ts'

/** @throws Error with the server's sentence and status; TypeError without an answer */
export async function postForm<Answer>(url: string, form: FormData): Promise<Answer> {
  const response = await siteFetch(url, { method: 'POST', body: form })
  if (!response.ok) throw await failedAnswer(response)
  return response.json()
}
