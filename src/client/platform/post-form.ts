import { siteFetch } from './connection.ts'
import { failedAnswer } from './error-message.ts'

/**
 * Sends a form and answers what comes back as JSON.
 * @throws an Error with the server's sentence, of which the status is known; TypeError when no answer came
 */
export async function postForm<Answer>(url: string, form: FormData): Promise<Answer> {
  const response = await siteFetch(url, { method: 'POST', body: form })
  if (!response.ok) throw await failedAnswer(response)
  return response.json()
}
